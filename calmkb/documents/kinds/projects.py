"""What a person decided on a project's name, as a file."""

from calmkb.documents import sections
from calmkb.documents.fields import Fields
from calmkb.documents.parts import split_known
from calmkb.documents.paths import time_in_name
from calmkb.model import FrontValue, ProjectAlias


def render(record: ProjectAlias) -> tuple[dict[str, FrontValue], str]:
    """Return the front matter and the body of the file."""
    front: dict[str, FrontValue] = {
        "id": record.id,
        "created_at": record.created_at.isoformat(),
        "name": record.name,
        "aliases": list(record.aliases),
    }
    if record.decided_by:
        front["decided_by"] = record.decided_by
    return front, sections.join("", sections.render_others(record.sections))


def parse(fields: Fields, body: str, path: str) -> ProjectAlias:
    """Return the record; RecordError names what is wrong."""
    before, parts = split_known(body, ())
    return ProjectAlias(
        id=fields.identity(path),
        created_at=fields.moment("created_at", time_in_name(path)),
        name=fields.text("name"),
        aliases=fields.texts("aliases"),
        decided_by=fields.text("decided_by"),
        extra=fields.rest(),
        sections=parts.others(before),
    )
