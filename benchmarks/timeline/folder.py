"""A folder of sessions, and what people said of them."""

import json
import tarfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from calmkb.capture.formats.table import read_transcript
from calmkb.errors import TranscriptError

_PACKED = "sessions.tar.xz"


@dataclass(frozen=True, slots=True)
class Session:
    """A transcript, and when it ended."""

    path: Path
    ended: datetime

    @property
    def day(self) -> str:
        """The day it ended, in UTC (YYYY-MM-DD): only on later days its lessons can be known."""
        return self.ended.date().isoformat()


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule that people wrote into their instruction files, and where sessions say or meet it.

    `seen` are the last days and the names of sessions; empty where nobody looked or found any.
    """

    text: str
    day: str
    seen: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Folder:
    """What a data folder holds; `written` are wrap-ups by the name of their session.

    `pairs` are two statements each, and whether a reader would keep one memory for both.
    """

    sessions: tuple[Session, ...]
    written: dict[str, dict[str, Any]]
    rules: tuple[Rule, ...]
    verdicts: dict[str, str]
    pairs: tuple[tuple[str, str, bool], ...] = ()


def folders_in(path: Path) -> list[Path]:
    """Return the data folders in a folder, itself first; itself alone where it has no others."""
    marks = {one.parent for name in ("sessions", _PACKED) for one in path.rglob(name)}
    return sorted(marks) or [path]


def read_folder(data: Path, scratch: Path, labels: Sequence[Path] = ()) -> Folder:
    """Read a data folder; its `sessions.tar.xz` is unpacked into `scratch`.

    `labels` are further files of objects with `text` and `verdict`.
    """
    sessions = tuple(_sessions(_unpacked(data, scratch)))
    days = {one.path.name: one.day for one in sessions}
    written = {row["file"]: _wrap_up(row) for row in _rows(data / "wrapups.jsonl")}
    written |= {row["file"]: _wrap_up(row) for row in _rows(data / "sessions_read.jsonl")}
    rules = tuple(
        Rule(row["rule"], row["date"], _seen(row["seen"], days))
        for row in _rows(data / "rules.jsonl")
    )
    judged = [*sorted(data.glob("*proposals_judged.jsonl")), *labels]
    verdicts = {row["text"]: row["verdict"] for path in judged for row in _rows(path)}
    rows = _rows(data / "pairs.jsonl")
    pairs = tuple((row["a"], row["b"], row["label"] == "same") for row in rows)
    return Folder(sessions, written, rules, verdicts, pairs)


def _rows(path: Path) -> list[dict[str, Any]]:
    if not path.is_file():
        return []
    lines = path.read_text(encoding="utf-8").split("\n")
    return [json.loads(line) for line in lines if line.strip()]


def _unpacked(data: Path, scratch: Path) -> Path:
    """Return where the transcripts are: unpacked, in `sessions`, or in the folder itself."""
    if (data / "sessions").is_dir() or not (data / _PACKED).is_file():
        return data / "sessions" if (data / "sessions").is_dir() else data
    with tarfile.open(data / _PACKED) as archive:
        archive.extractall(scratch, filter="data")
    return scratch / "sessions"


def _sessions(folder: Path) -> Iterator[Session]:
    for path in sorted(folder.glob("*.jsonl")):
        try:
            read = read_transcript(path)
        except TranscriptError:
            continue
        if read.ended_at:
            yield Session(path, read.ended_at.astimezone(UTC))


def _wrap_up(row: dict[str, Any]) -> dict[str, Any]:
    """Return a wrap-up's fields; a careful reader's notes have other names for them."""
    friction = row.get("friction_points", row.get("friction", []))
    return {
        "summary": row["summary"],
        "friction_points": tuple(_said(one) for one in friction),
        "next_steps": tuple(row.get("next_steps", row.get("next", []))),
        "learnings": tuple(_said(one) for one in row["learnings"])[:5],
    }


def _said(one: str | dict[str, Any]) -> str:
    return one if isinstance(one, str) else one["text"]


def _seen(places: Sequence[str], days: dict[str, str]) -> tuple[tuple[str, str], ...]:
    names = {place.rpartition(":")[0] for place in places}
    return tuple(sorted((days[name], name) for name in names if name in days))
