"""The note that a next step of a session is done, as a file."""

from calmkb.documents import sections
from calmkb.documents.fields import Fields
from calmkb.documents.parts import split_known
from calmkb.documents.paths import time_in_name
from calmkb.model import FinishedStep, FrontValue


def render(record: FinishedStep) -> tuple[dict[str, FrontValue], str]:
    """Return the front matter and the body of the file."""
    front: dict[str, FrontValue] = {
        "id": record.id,
        "created_at": record.created_at.isoformat(),
        "entry": record.entry,
        "step": record.step,
    }
    if record.finished_by:
        front["finished_by"] = record.finished_by
    return front, sections.join("", sections.render_others(record.sections))


def parse(fields: Fields, body: str, path: str) -> FinishedStep:
    """Return the record; RecordError names what is wrong."""
    before, parts = split_known(body, ())
    return FinishedStep(
        id=fields.identity(path),
        created_at=fields.moment("created_at", time_in_name(path)),
        entry=fields.text("entry"),
        step=fields.text("step"),
        finished_by=fields.text("finished_by"),
        extra=fields.rest(),
        sections=parts.others(before),
    )
