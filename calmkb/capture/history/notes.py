"""Notes that agents keep in Markdown: Claude Code's auto memory, and the private journal."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from calmkb.capture.formats.cleaning import clean
from calmkb.errors import TranscriptError
from calmkb.redact.spans import hide_spans

LIMIT = 1024 * 1024
_FRONT = re.compile(r"\A---\n(.*?)\n---\n", re.DOTALL)
_KEY = re.compile(r"^(\w+): *(.*)$", re.MULTILINE)
_HEADING = re.compile(r"^##? +(.+?) *$", re.MULTILINE)
_BULLET = re.compile(r"^[-*] +(?:\[[^\]]*\]\([^)]*\)[: \u2014-]*)?(.{15,})$", re.MULTILINE)
_SHARED = ("project notes", "technical insights", "world knowledge")
_NOTE_LENGTH = 1_500


@dataclass(frozen=True, slots=True)
class Note:
    """What a file says that may be shared, and when it was written."""

    texts: tuple[str, ...]
    written_at: datetime


def read_memory(path: Path) -> Note:
    """Return the learnings in one file of Claude Code's auto memory.

    A topic file is one learning; MEMORY.md is an index, and only its bullets without a topic file
    of their own say anything.
    """
    text, front = _read(path)
    body = clean(_FRONT.sub("", text, count=1))
    if path.name == "MEMORY.md":
        alone = [line for line in body.split("\n") if "](" not in line]
        texts = tuple(found.strip() for found in _BULLET.findall("\n".join(alone)))
    else:
        words = " ".join(_HEADING.sub("", body).split()) or front.get("description", "")
        texts = (words[:_NOTE_LENGTH],) if words else ()
    return Note(texts, _modified(path))


def read_private(path: Path) -> Note:
    """Return what a private journal's entry says of the project and the craft.

    Feelings, reflections and what it says of the user stay private.
    """
    text, front = _read(path)
    body = _FRONT.sub("", text, count=1)
    parts = _HEADING.split(body)
    found = zip(parts[1::2], parts[2::2], strict=False)
    texts = tuple(clean(text).strip() for name, text in found if name.strip().lower() in _SHARED)
    stamp = front.get("timestamp", "")
    at = datetime.fromtimestamp(int(stamp) / 1000, UTC) if stamp.isdigit() else _modified(path)
    return Note(tuple(text for text in texts if text), at)


def _read(path: Path) -> tuple[str, dict[str, str]]:
    try:
        data = path.read_bytes()[:LIMIT]
    except OSError as error:
        raise TranscriptError(f"{path} cannot be read: {error.strerror}") from error
    # Before it is cut into bullets and sections: a piece of a span has no tags.
    text = hide_spans(data.decode(errors="replace").replace("\r\n", "\n"))
    front = _FRONT.match(text)
    pairs = _KEY.findall(front[1]) if front else []
    return text, {key: value.strip().strip("\"'") for key, value in pairs}


def _modified(path: Path) -> datetime:
    return datetime.fromtimestamp(path.stat().st_mtime, UTC).replace(microsecond=0)
