"""A line put into a section of a person's Markdown file; every other byte of it stays as it is.

Text in, text out.
"""

import re
from collections.abc import Sequence

from calmkb.reflect.signals.outline import BLOCK_MARK, Outline, outline

AGENT_HEADINGS = ("Commands", "Conventions", "Gotchas", "Preferences")
TEMPLATE = "# CLAUDE.md\n\n" + "\n\n".join(f"## {name}" for name in AGENT_HEADINGS) + "\n"

_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d+[.)])[ \t]|[ \t]+\S")
_ANY_LEVEL = 6


def add_item(text: str, heading: str, item: str) -> str:
    """Return `text` with `- item` at the end of the section `heading`, which is made if missing.

    Where the very line is there already, outside any managed block, nothing changes.
    """
    lines = text.split("\n")
    found = outline(lines)
    wanted = f"- {item}"
    seen = (line for n, line in enumerate(lines) if n not in found.hidden)
    if any(line.rstrip() == wanted for line in seen):
        return text
    return _added(text, found, heading, [wanted], deepest=_ANY_LEVEL)


def add_entry(text: str, heading: str, entry: Sequence[str]) -> str:
    """Return `text` with an entry (its own sub-heading and lines) at the end of a section."""
    return _added(text, outline(text.split("\n")), heading, entry, deepest=2)


def _added(text: str, found: Outline, heading: str, block: Sequence[str], *, deepest: int) -> str:
    """Return `text` with `block` in the section, set off by blank lines where it needs them.

    A section's text ends at the next heading of at most `deepest`, or where a managed block begins.
    """
    lines = text.split("\n")
    count = len(lines) - (lines[-1] == "")
    place = next(
        (h for h in found.headings if (h.level, h.title.casefold()) == (2, heading.casefold())),
        None,
    )
    if place is None:
        at = _last_said(lines, 0, min(found.end, count))
        gap = [""] if at else []
        return _inserted(text, at, [*gap, f"## {heading}", "", *block])
    later = [h.line for h in found.headings if h.line > place.line and h.level <= deepest]
    stop = min([found.end, count, *later, *_blocks_after(lines, place.line)])
    at = _last_said(lines, place.below, stop)
    while at > place.below and {at - 1, at} <= found.hidden:  # not into a comment that goes on
        at -= 1
    listed = at > place.below and _ITEM.match(lines[at - 1]) and block[0].startswith("- ")
    follows = at < count and lines[at].strip() != ""
    return _inserted(text, at, [*([] if listed else [""]), *block, *([""] if follows else [])])


def _last_said(lines: Sequence[str], start: int, stop: int) -> int:
    """Return the line after the last one in `start` to `stop` that is not blank."""
    while stop > start and not lines[stop - 1].strip("\ufeff \t\r"):
        stop -= 1
    return stop


def _blocks_after(lines: Sequence[str], line: int) -> list[int]:
    begins = (n for n in range(line + 1, len(lines)) if BLOCK_MARK.match(lines[n]))
    return list(begins)[:1]


def _inserted(text: str, at: int, block: Sequence[str]) -> str:
    """Return `text` with the lines of `block` before line `at`, ending as the other lines do."""
    newline = "\r\n" if text.count("\r\n") * 2 > text.count("\n") else "\n"
    parts = re.findall(r"[^\n]*\n|[^\n]+", text)
    offset = sum(map(len, parts[:at]))
    if offset and text[offset - 1] != "\n":  # after a last line that has no end: the file keeps so
        return text + newline + newline.join(block)
    return text[:offset] + "".join(line + newline for line in block) + text[offset:]
