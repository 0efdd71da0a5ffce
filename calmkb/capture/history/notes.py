"""Notes that agents keep in Markdown: Claude Code's auto memory, and the private journal."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from calmkb.capture.formats.cleaning import clean
from calmkb.documents.sections import split
from calmkb.errors import TranscriptError
from calmkb.redact.spans import hide_spans

LIMIT = 1024 * 1024
_FRONT = re.compile(r"\A\ufeff?\s*---\n(.*?)\n---(?:\n|\Z)", re.DOTALL)
_KEY = re.compile(r"^ *(\w+): *(.*)$", re.MULTILINE)  # `type` is below `metadata`
# The client's notes of feedback give the rule first, then the reason and where it applies.
_LABEL = re.compile(
    r"(?:^|\s)\*\*(Why|How to apply):?\*\*:?|^(Why|How to apply):", re.IGNORECASE | re.MULTILINE
)
_CATEGORIES = {"feedback": "preference", "user": "preference", "project": "fact",
               "reference": "fact"}  # fmt: skip
_HEADING = re.compile(r"^##? +(.+?) *$", re.MULTILINE)
_BULLET = re.compile(r"^[-*] +(?:\[[^\]]*\]\([^)]*\)[: \u2014-]*)?(.{15,})$", re.MULTILINE)
_SHARED = ("project notes", "technical insights", "world knowledge")
_PRIVATE = re.compile(r"feelings|reflections|observations|user[ _-]context")
_ASIDE = re.compile(rf"^(?:#|#{{3,6}}|[*_]+) *(?:{_PRIVATE.pattern})\b.*", re.I | re.M | re.S)
_NOTE_LENGTH = 1_500


@dataclass(frozen=True, slots=True)
class Note:
    """What a file says that may be shared, and when it was written.

    `why` and `category` are those of its texts, where the file tells; `folder` is where they were
    learnt and `session` in which session of the agent.
    """

    texts: tuple[str, ...]
    written_at: datetime
    why: str = ""
    category: str = ""
    folder: str = ""
    session: str = ""


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
        return Note(texts, modified(path))
    rule, *reasons = _LABEL.split(_HEADING.sub("", body))
    words = " ".join(rule.split()) or front.get("description", "")
    parts = (f"{part}:" if part.lower() == "how to apply" else part for part in reasons if part)
    why = " ".join(" ".join(part for part in parts if part.lower() != "why").split())
    kind = _CATEGORIES.get(front.get("type", ""), "")
    texts = (words[:_NOTE_LENGTH],) if words else ()
    session = front.get("originSessionId", "")
    return Note(texts, modified(path), why[:_NOTE_LENGTH], kind, session=session)


def read_private(path: Path) -> Note:
    """Return what a private journal's entry says of the project and the craft.

    Feelings, reflections and what it says of the user stay private. A heading that is not the
    journal's own belongs to the section above it.
    """
    text, front = _read(path)
    found = [("", "")]
    for name, part, _ in split(_FRONT.sub("", text, count=1))[1]:
        label = name.lower().strip(" :*_")
        if label in _SHARED or _PRIVATE.search(label):
            found.append((label, part))
        else:
            found[-1] = (found[-1][0], f"{found[-1][1]}\n## {name}\n{part}")
    shared = (_ASIDE.sub("", text) for name, text in found if name in _SHARED)
    texts = tuple(clean(text).strip() for text in shared)
    stamp = front.get("timestamp", "")
    at = datetime.fromtimestamp(int(stamp) / 1000, UTC) if stamp.isdigit() else modified(path)
    return Note(tuple(text for text in texts if text), at)


def read_text(path: Path) -> str:
    """Return the text of a note, at most 1 MB; TranscriptError where it cannot be read."""
    try:
        data = path.read_bytes()[:LIMIT]
    except OSError as error:
        raise TranscriptError(f"{path} cannot be read: {error.strerror}") from error
    # Before it is cut into bullets and sections: a piece of a span has no tags.
    return hide_spans(data.decode(errors="replace").replace("\r\n", "\n"))


def modified(path: Path) -> datetime:
    """Return when a file was last changed, in UTC."""
    return datetime.fromtimestamp(path.stat().st_mtime, UTC).replace(microsecond=0)


def _read(path: Path) -> tuple[str, dict[str, str]]:
    text = read_text(path)
    front = _FRONT.match(text)
    pairs = _KEY.findall(front[1]) if front else []
    return text, {key: value.strip().strip("\"'") for key, value in pairs}
