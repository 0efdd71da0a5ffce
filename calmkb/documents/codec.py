"""Records to text and back: `parse(render(x), path) == x`."""

from collections.abc import Callable
from datetime import datetime
from pathlib import PurePosixPath
from typing import cast

from calmkb.documents import sections
from calmkb.documents.evidence import (
    parse_evidence,
    parse_rejection,
    render_evidence,
    render_rejection,
)
from calmkb.documents.fields import Fields
from calmkb.documents.front_matter import FrontMatterError, Plain, StrictHandler, dump
from calmkb.documents.paths import FOLDERS, kind_of, time_in_name
from calmkb.errors import RecordError
from calmkb.model import (
    CATEGORIES,
    Category,
    Confidence,
    Entry,
    FrontValue,
    Memory,
    Origin,
    Record,
    Reflection,
    Section,
)

SIZE_LIMIT = 8 * 1024 * 1024
"""Bytes of a record's file: two lists of 50 items of 10,000 characters fit, a dump does not."""

_HANDLER = StrictHandler()
_FENCE = "---"


class UnreadableError(RecordError):
    """A file that is no record; `path`, `line` (from 1) and `reason` say where and why."""

    def __init__(self, path: str, line: int, reason: str) -> None:
        super().__init__(f"{path}:{line}: {reason}")
        self.path, self.line, self.reason = path, line, reason


def render(record: Record) -> str:
    """Return the file that holds `record`."""
    if isinstance(record, Entry):
        front, body = _render_entry(record)
    elif isinstance(record, Memory):
        front, body = _render_memory(record)
    else:
        front, body = _render_reflection(record)
    front.update(record.extra)
    return f"{_FENCE}\n{dump(front)}{_FENCE}\n\n{body}"


def parse(text: str, path: str) -> Record:
    """Return the record in `text`; `path` (below the journal folder) tells its kind.

    Raises UnreadableError naming path, line and mend.
    """
    kind = kind_of(path)
    if kind is None:
        folders = ", ".join(f"{folder}/" for folder in FOLDERS.values())
        raise UnreadableError(path, 1, f"is no record's place; records are .md files in {folders}")
    if len(text.encode(errors="replace")) > SIZE_LIMIT:
        raise UnreadableError(path, 1, f"is larger than {SIZE_LIMIT:,} bytes; cut it down")
    if text.startswith((f"{_FENCE}\r\n", f"\ufeff{_FENCE}")):
        text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    metadata, body, body_line = _split_front_matter(text, path)
    try:
        return _PARSERS[kind](Fields(metadata), body, path)
    except RecordError as error:
        raise UnreadableError(path, _line_of(error, text, body_line), str(error)) from error


def _split_front_matter(text: str, path: str) -> tuple[dict[str, FrontValue], str, int]:
    if not text.startswith(_FENCE):
        return {}, text, 1
    try:
        front, body = _HANDLER.split(text)
    except ValueError:
        mend = "front matter has no closing `---` line; add one after the last key"
        raise UnreadableError(path, 1, mend) from None
    try:
        return _HANDLER.load(front), body, text[: len(text) - len(body)].count("\n") + 1
    except FrontMatterError as error:
        raise UnreadableError(path, error.line, str(error)) from error


def _line_of(error: RecordError, text: str, body_line: int) -> int:
    """Return the line of the key that the message begins with, else where the body starts."""
    key = str(error).split(" ", 1)[0].lower()
    for number, line in enumerate(text.split("\n")[:body_line], 1):
        if key and line.lower().startswith(f"{key}:"):
            return number
    return body_line


def _render_entry(entry: Entry) -> tuple[dict[str, FrontValue], str]:
    front: dict[str, FrontValue] = {
        "id": entry.id,
        "created_at": entry.created_at.isoformat(),
        "project_name": entry.project_name,
        "working_directory": entry.working_directory,
    }
    front |= {key: value for key in ("agent", "session_id") if (value := getattr(entry, key))}
    if entry.needs_continuation:
        front["needs_continuation"] = Plain("true")
    parts = [
        ("Summary", sections.render_text(entry.summary)),
        ("Friction points", sections.render_items(entry.friction_points)),
        ("Next steps", sections.render_items(entry.next_steps)),
    ]
    return front, sections.join("", parts + sections.render_others(entry.sections))


def _parse_entry(fields: Fields, body: str, path: str) -> Entry:
    before, parts = _split_known(body, ("summary", "friction points", "next steps"))
    working_directory = fields.text("working_directory")
    name = PurePosixPath(working_directory.replace("\\", "/")).name
    return Entry(
        id=fields.identity(path),
        created_at=_created(fields, path),
        summary=parts.text("summary") or sections.parse_text(before),
        project_name=fields.text("project_name", name),
        working_directory=working_directory,
        friction_points=parts.items("friction points"),
        next_steps=parts.items("next steps"),
        agent=fields.text("agent"),
        session_id=fields.text("session_id"),
        needs_continuation=fields.flag("needs_continuation"),
        extra=fields.rest(),
        sections=parts.others(before if parts.has("summary") else ""),
    )


def _render_memory(memory: Memory) -> tuple[dict[str, FrontValue], str]:
    front: dict[str, FrontValue] = {
        "id": memory.id,
        "created_at": memory.created_at.isoformat(),
        "category": memory.category,
        "importance": Plain(repr(memory.importance)),
        "confidence": memory.confidence,
        "scope": memory.scope,
        "origin": memory.origin,
    }
    front |= {key: text for key in ("approved_by", "supersedes") if (text := getattr(memory, key))}
    front |= {key: list(v) for key in ("tags", "sources") if (v := getattr(memory, key))}
    quotes = tuple(render_evidence(item, memory.sources) for item in memory.evidence)
    parts = [
        ("Why", sections.render_text(memory.why) if memory.why else ""),
        ("Evidence", sections.render_items(quotes)),
    ]
    before = sections.render_text(memory.text)
    return front, sections.join(before, parts + sections.render_others(memory.sections))


def _parse_memory(fields: Fields, body: str, path: str) -> Memory:
    before, parts = _split_known(body, ("why", "evidence"))
    folder = PurePosixPath(path).parts[1]
    sources = fields.texts("sources")
    return Memory(
        id=fields.identity(path),
        created_at=_created(fields, path),
        text=sections.parse_text(before),
        category=cast(
            Category, fields.text("category", folder if folder in CATEGORIES else "fact")
        ),
        importance=fields.number("importance", 0.5),
        confidence=cast(Confidence, fields.text("confidence", "low")),
        scope=fields.text("scope", "global"),
        origin=cast(Origin, fields.text("origin", "person")),
        approved_by=fields.text("approved_by"),
        supersedes=fields.text("supersedes"),
        tags=fields.texts("tags"),
        why=parts.text("why"),
        evidence=tuple(parse_evidence(item, sources) for item in parts.items("evidence")),
        sources=sources,
        extra=fields.rest(),
        sections=parts.others(""),
    )


def _render_reflection(record: Reflection) -> tuple[dict[str, FrontValue], str]:
    front: dict[str, FrontValue] = {
        "id": record.id,
        "created_at": record.created_at.isoformat(),
        "memories_created": Plain(record.memories_created),
    }
    if record.reviewed_by:
        front["reviewed_by"] = record.reviewed_by
    front |= {key: list(v) for key in ("entries", "memories") if (v := getattr(record, key))}
    rejected = tuple(render_rejection(item) for item in record.rejected)
    parts = [
        ("Accepted", sections.render_items(record.accepted)),
        ("Turned down", sections.render_items(rejected)),
    ]
    return front, sections.join("", parts + sections.render_others(record.sections))


def _parse_reflection(fields: Fields, body: str, path: str) -> Reflection:
    before, parts = _split_known(body, ("accepted", "turned down"))
    return Reflection(
        id=fields.identity(path),
        created_at=_created(fields, path),
        memories_created=int(fields.number("memories_created", 0)),
        reviewed_by=fields.text("reviewed_by"),
        entries=fields.texts("entries"),
        memories=fields.texts("memories"),
        accepted=parts.items("accepted"),
        rejected=tuple(parse_rejection(item) for item in parts.items("turned down")),
        extra=fields.rest(),
        sections=parts.others(before),
    )


_PARSERS: dict[str, Callable[[Fields, str, str], Record]] = {
    "session": _parse_entry,
    "memory": _parse_memory,
    "reflection": _parse_reflection,
}


def _created(fields: Fields, path: str) -> datetime:
    return fields.moment("created_at", time_in_name(path))


class _Parts:
    """The sections of a body: those with a known heading by name, the others in order."""

    def __init__(self, known: dict[str, str], others: list[Section]) -> None:
        self._known, self._others = known, others

    def has(self, name: str) -> bool:
        return name in self._known

    def text(self, name: str) -> str:
        return sections.parse_text(self._known.get(name, ""))

    def items(self, name: str) -> tuple[str, ...]:
        found = sections.parse_items(self._known.get(name, ""))
        return tuple(item for item in found if item.strip())

    def others(self, before: str) -> tuple[Section, ...]:
        """Return the unclaimed sections, and with them text that stood before every heading."""
        loose = sections.parse_text(before)
        return tuple(([Section("Notes", loose)] if loose else []) + self._others)


def _split_known(body: str, known: tuple[str, ...]) -> tuple[str, _Parts]:
    before, found = sections.split(body)
    named: dict[str, str] = {}
    others = []
    for heading, raw, _ in found:
        name = " ".join(heading.lower().split())
        if name in known and name not in named:
            named[name] = raw
        else:
            others.append(Section(heading, sections.parse_text(raw)))
    return before, _Parts(named, others)
