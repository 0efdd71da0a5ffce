"""The private journal's answers, word for word those of the reference program."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from calmkb.wings.private.entries import PrivateEntry

EXCERPT = 200
_STEP = 20
_FIRST = 150


@dataclass(frozen=True, slots=True)
class Scored:
    """An entry and its score, 0 to 1."""

    entry: PrivateEntry
    score: float


def matching(entries: Sequence[PrivateEntry], sections: Sequence[str]) -> list[PrivateEntry]:
    """Return the entries with a heading that contains one of `sections`, case ignored."""
    wanted = [_plain(section) for section in sections if section.strip()]
    if not wanted:
        return list(entries)
    return [e for e in entries if any(w in _plain(s) for s in e.sections for w in wanted)]


def search_answer(found: Sequence[Scored], query: str) -> str:
    """Return the answer to a search."""
    if not found:
        return "No relevant entries found."
    lines = [f"Found {len(found)} relevant entries:\n"]
    for number, item in enumerate(found, 1):
        entry = item.entry
        lines.append(
            f"{number}. [Score: {item.score:.3f}] {day(entry.timestamp)} ({entry.owner})\n"
            f"   Sections: {', '.join(entry.sections)}\n"
            f"   Path: {entry.path}\n"
            f"   Excerpt: {excerpt(entry.body, query)}\n"
        )
    return "\n".join(lines)


def recent_answer(found: Sequence[PrivateEntry], days: int) -> str:
    """Return the list of recent entries."""
    if not found:
        return f"No entries found in the last {days} days."
    lines = [f"Recent entries (last {days} days):\n"]
    for number, entry in enumerate(found, 1):
        body = entry.body
        first = body[:_FIRST] + ("..." if len(body) > _FIRST else "")
        lines.append(
            f"{number}. {day(entry.timestamp)} ({entry.owner})\n"
            f"   Sections: {', '.join(entry.sections)}\n"
            f"   Path: {entry.path}\n"
            f"   Excerpt: {first}\n"
        )
    return "\n".join(lines)


def texts_answer(found: Sequence[PrivateEntry]) -> str:
    """Return full entries, each under its number, day and path."""
    if not found:
        return "No entries found."
    return "\n\n".join(
        f"--- Entry {number} ({day(entry.timestamp)}, {entry.owner}) ---\n"
        f"Path: {entry.path}\n\n{entry.text}"
        for number, entry in enumerate(found, 1)
    )


def day(timestamp: int) -> str:
    """Return `11/21/2026`, in local time, as JavaScript writes an American date."""
    try:
        moment = datetime.fromtimestamp(timestamp / 1000).astimezone()
    except (ValueError, OverflowError, OSError):
        return "unknown date"
    return f"{moment.month}/{moment.day}/{moment.year}"


def excerpt(text: str, query: str) -> str:
    """Return at most 200 characters: the window, in steps of 20, with the most query words."""
    if len(text) <= EXCERPT:
        return text
    words, lowered = query.lower().split(), text.lower()
    best, most = 0, 0
    for start in range(0, len(text) - EXCERPT + 1, _STEP):
        count = sum(word in lowered[start : start + EXCERPT] for word in words)
        if count > most:
            best, most = start, count
    before = "..." if best > 0 else ""
    after = "..." if best + EXCERPT < len(text) else ""
    return before + text[best : best + EXCERPT] + after


def _plain(name: str) -> str:
    return name.replace("_", " ").strip().casefold()
