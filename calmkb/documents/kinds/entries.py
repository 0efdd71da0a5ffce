"""A session entry as a file."""

from pathlib import PurePosixPath

from calmkb.documents import sections
from calmkb.documents.fields import Fields
from calmkb.documents.front_matter import Plain
from calmkb.documents.parts import split_known
from calmkb.documents.paths import time_in_name
from calmkb.model import Entry, FrontValue


def render(entry: Entry) -> tuple[dict[str, FrontValue], str]:
    """Return the front matter and the body of the file."""
    front: dict[str, FrontValue] = {
        "id": entry.id,
        "created_at": entry.created_at.isoformat(),
        "project_name": entry.project_name,
        "working_directory": entry.working_directory,
    }
    front |= {key: value for key in ("agent", "session_id") if (value := getattr(entry, key))}
    if entry.needs_continuation:
        front["needs_continuation"] = Plain("true")
    if entry.files:
        front["files"] = list(entry.files)
    parts = [
        ("Summary", sections.render_text(entry.summary)),
        ("Friction points", sections.render_items(entry.friction_points)),
        ("Next steps", sections.render_items(entry.next_steps)),
    ]
    return front, sections.join("", parts + sections.render_others(entry.sections))


def parse(fields: Fields, body: str, path: str) -> Entry:
    """Return the record; RecordError names what is wrong."""
    before, parts = split_known(body, ("summary", "friction points", "next steps"))
    working_directory = fields.text("working_directory")
    name = PurePosixPath(working_directory.replace("\\", "/")).name
    return Entry(
        id=fields.identity(path),
        created_at=fields.moment("created_at", time_in_name(path)),
        summary=parts.text("summary") or sections.parse_text(before),
        project_name=fields.text("project_name", name),
        working_directory=working_directory,
        friction_points=parts.items("friction points"),
        next_steps=parts.items("next steps"),
        agent=fields.text("agent"),
        session_id=fields.text("session_id"),
        needs_continuation=fields.flag("needs_continuation"),
        files=fields.texts("files"),
        extra=fields.rest(),
        sections=parts.others(before if parts.has("summary") else ""),
    )
