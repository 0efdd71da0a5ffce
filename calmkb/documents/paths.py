"""Paths of records: names that are unique without coordination, and hold no colons."""

import re
import unicodedata
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import Any, Literal

from calmkb.model import (
    Entry,
    Feedback,
    FinishedStep,
    Improvement,
    Memory,
    ProjectAlias,
    Record,
    Reflection,
    Resumption,
)

Kind = Literal[
    "session", "memory", "reflection", "improvement", "resumption", "feedback", "project", "step"
]
FOLDERS: dict[Kind, str] = {
    "session": "sessions",
    "memory": "memories",
    "reflection": "reflections",
    "improvement": "improvements",
    "resumption": "resumed",
    "feedback": "feedback",
    "project": "projects",
    "step": "done",
}
KINDS: tuple[Kind, ...] = tuple(FOLDERS)
_KIND_IN: dict[str, Kind] = {folder: kind for kind, folder in FOLDERS.items()}
CLASSES: dict[Any, type[Record]] = {
    "session": Entry,
    "memory": Memory,
    "reflection": Reflection,
    "improvement": Improvement,
    "resumption": Resumption,
    "feedback": Feedback,
    "project": ProjectAlias,
    "step": FinishedStep,
}
_KIND_OF: dict[type, Kind] = {made: kind for kind, made in CLASSES.items()}
_SLUG_LENGTH = 40
_STAMP = re.compile(r"(\d{4}-\d{2}-\d{2})T(\d{2})(\d{2})(\d{2})Z")


def record_path(record: Record) -> str:
    """Return the record's path below the journal folder, with `/` between its parts."""
    stamp = record.created_at.astimezone(UTC).strftime("%Y-%m-%dT%H%M%SZ")
    name = f"{stamp}-{_slug(_title(record))}-{record.id[:8]}.md"
    if isinstance(record, Memory):
        return f"memories/{record.category}/{name}"
    if isinstance(record, Improvement):
        return f"improvements/{name}"
    day = record.created_at.astimezone(UTC).strftime("%Y/%m/%d")
    return f"{FOLDERS[kind_of_record(record)]}/{day}/{name}"


def kind_of(path: str) -> Kind | None:
    """Return the kind of record that `path` (below the journal folder) should hold, or None."""
    folder, below, _ = path.partition("/")
    return _KIND_IN.get(folder) if below and path.endswith(".md") else None


def time_in_name(path: str) -> datetime | None:
    """Return the time in a record's file name, for a hand-written record that states none."""
    found = _STAMP.match(PurePosixPath(path).name)
    try:
        text = f"{found[1]}T{found[2]}:{found[3]}:{found[4]}+00:00" if found else ""
        return datetime.fromisoformat(text)
    except ValueError:
        return None


def kind_of_record(record: Record) -> Kind:
    """Return what kind `record` is of."""
    return _KIND_OF[type(record)]


def _title(record: Record) -> str:
    if isinstance(record, Entry):
        return record.summary
    if isinstance(record, Improvement):
        return record.title
    if isinstance(record, ProjectAlias):
        return record.name
    if isinstance(record, FinishedStep):
        return record.step
    return record.text if isinstance(record, Memory) else kind_of_record(record)


def _slug(text: str) -> str:
    """Return up to 40 letters, digits and hyphens of the first line, cut between words."""
    line = text.strip().split("\n", 1)[0]
    ascii_line = unicodedata.normalize("NFKD", line).encode("ascii", "ignore").decode()
    words = re.sub(r"[^a-z0-9]+", "-", ascii_line.lower()).strip("-")
    if len(words) > _SLUG_LENGTH:
        words = words[: _SLUG_LENGTH + 1].rpartition("-")[0] or words[:_SLUG_LENGTH]
    return words or "untitled"
