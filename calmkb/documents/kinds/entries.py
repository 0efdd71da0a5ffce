"""A session entry as a file, front matter and sections as `SessionContent` declares them."""

from collections.abc import Callable
from pathlib import PurePosixPath
from typing import Any

from calmkb.documents import sections
from calmkb.documents.fields import Fields
from calmkb.documents.front_matter import Plain
from calmkb.documents.parts import split_known
from calmkb.documents.paths import time_in_name
from calmkb.model import CONTENT, Entry, FrontValue

_SECTIONS = {name: spec for name, spec in CONTENT.items() if spec.is_section}
_FRONT = {name: spec for name, spec in CONTENT.items() if not spec.is_section}
_HEADINGS = tuple(spec.label.lower() for spec in _SECTIONS.values())


def render(entry: Entry) -> tuple[dict[str, FrontValue], str]:
    """Return the front matter and the body of the file."""
    front: dict[str, FrontValue] = {"id": entry.id, "created_at": entry.created_at.isoformat()}
    for name, spec in _FRONT.items():
        value = getattr(entry, name)
        if value or spec.always:
            front[name] = _front_value(value)
    parts = [(spec.label, _section(getattr(entry, name))) for name, spec in _SECTIONS.items()]
    return front, sections.join("", parts + sections.render_others(entry.sections))


def parse(fields: Fields, body: str, path: str) -> Entry:
    """Return the record; RecordError names what is wrong."""
    before, parts = split_known(body, _HEADINGS)
    identity, created_at = fields.identity(path), fields.moment("created_at", time_in_name(path))
    is_named = "project_name" in fields
    readers: dict[str, Callable[[str], Any]] = {
        "line": fields.text,
        "flag": fields.flag,
        "paths": fields.texts,
        "hashes": fields.texts,
        "kinds": fields.texts,
        "text": parts.text,
        "items": parts.items,
    }
    values = {
        name: readers[spec.kind](spec.label.lower() if spec.is_section else name)
        for name, spec in CONTENT.items()
    }
    values["summary"] = values["summary"] or sections.parse_text(before)
    if not is_named:
        values["project_name"] = PurePosixPath(values["working_directory"].replace("\\", "/")).name
    return Entry(
        id=identity,
        created_at=created_at,
        **values,
        extra=fields.rest(),
        sections=parts.others(before if parts.has("summary") else ""),
    )


def _front_value(value: Any) -> FrontValue:
    if isinstance(value, bool):
        return Plain("true" if value else "false")
    return list(value) if isinstance(value, tuple) else str(value)


def _section(value: Any) -> str:
    return sections.render_items(value) if isinstance(value, tuple) else sections.render_text(value)
