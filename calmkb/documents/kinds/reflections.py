"""A reflection record as a file."""

from calmkb.documents import sections
from calmkb.documents.evidence import parse_rejection, render_rejection
from calmkb.documents.fields import Fields
from calmkb.documents.front_matter import Plain
from calmkb.documents.parts import split_known
from calmkb.documents.paths import time_in_name
from calmkb.model import FrontValue, Reflection

_REJECTED_BEFORE = "turned down"
"""The heading of rejections in records that calmkb wrote before 0.2."""


def render(record: Reflection) -> tuple[dict[str, FrontValue], str]:
    """Return the front matter and the body of the file."""
    front: dict[str, FrontValue] = {
        "id": record.id,
        "created_at": record.created_at.isoformat(),
        "memories_created": Plain(record.memories_created),
    }
    if record.reviewed_by:
        front["reviewed_by"] = record.reviewed_by
    front |= {
        key: list(v) for key in ("entries", "memories", "merged") if (v := getattr(record, key))
    }
    rejected = tuple(render_rejection(item) for item in record.rejected)
    parts = [
        ("Accepted", sections.render_items(record.accepted)),
        ("Rejected", sections.render_items(rejected)),
    ]
    return front, sections.join("", parts + sections.render_others(record.sections))


def parse(fields: Fields, body: str, path: str) -> Reflection:
    """Return the record; RecordError names what is wrong."""
    before, parts = split_known(body, ("accepted", "rejected", _REJECTED_BEFORE))
    rejected = (*parts.items("rejected"), *parts.items(_REJECTED_BEFORE))
    return Reflection(
        id=fields.identity(path),
        created_at=fields.moment("created_at", time_in_name(path)),
        memories_created=int(fields.number("memories_created", 0)),
        reviewed_by=fields.text("reviewed_by"),
        entries=fields.texts("entries"),
        memories=fields.texts("memories"),
        merged=fields.texts("merged"),
        accepted=parts.items("accepted"),
        rejected=tuple(parse_rejection(item) for item in rejected),
        extra=fields.rest(),
        sections=parts.others(before),
    )
