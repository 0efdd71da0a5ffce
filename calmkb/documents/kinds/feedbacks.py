"""Whether a memory helped, as a file."""

from typing import cast

from calmkb.documents import sections
from calmkb.documents.fields import Fields
from calmkb.documents.parts import split_known
from calmkb.documents.paths import time_in_name
from calmkb.model import Feedback, FrontValue, Helped


def render(record: Feedback) -> tuple[dict[str, FrontValue], str]:
    """Return the front matter and the body of the file."""
    front: dict[str, FrontValue] = {
        "id": record.id,
        "created_at": record.created_at.isoformat(),
        "memory": record.memory,
        "verdict": record.verdict,
    }
    if record.given_by:
        front["given_by"] = record.given_by
    before = sections.render_text(record.note) if record.note else ""
    return front, sections.join(before, sections.render_others(record.sections))


def parse(fields: Fields, body: str, path: str) -> Feedback:
    """Return the record; RecordError names what is wrong."""
    before, parts = split_known(body, ())
    return Feedback(
        id=fields.identity(path),
        created_at=fields.moment("created_at", time_in_name(path)),
        memory=fields.text("memory"),
        verdict=cast(Helped, fields.text("verdict")),
        note=sections.parse_text(before),
        given_by=fields.text("given_by"),
        extra=fields.rest(),
        sections=parts.others(""),
    )
