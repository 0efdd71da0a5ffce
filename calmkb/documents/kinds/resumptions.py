"""The note that a session left to be continued has been taken up, as a file."""

from calmkb.documents import sections
from calmkb.documents.fields import Fields
from calmkb.documents.parts import split_known
from calmkb.documents.paths import time_in_name
from calmkb.model import FrontValue, Resumption


def render(record: Resumption) -> tuple[dict[str, FrontValue], str]:
    """Return the front matter and the body of the file."""
    front: dict[str, FrontValue] = {
        "id": record.id,
        "created_at": record.created_at.isoformat(),
        "entry": record.entry,
    }
    if record.resumed_by:
        front["resumed_by"] = record.resumed_by
    return front, sections.join("", sections.render_others(record.sections))


def parse(fields: Fields, body: str, path: str) -> Resumption:
    """Return the record; RecordError names what is wrong."""
    before, parts = split_known(body, ())
    return Resumption(
        id=fields.identity(path),
        created_at=fields.moment("created_at", time_in_name(path)),
        entry=fields.text("entry"),
        resumed_by=fields.text("resumed_by"),
        extra=fields.rest(),
        sections=parts.others(before),
    )
