"""A line put into a section of a person's Markdown file; every other byte of it stays as it is.

Text in, text out. Headings in code, in comments and in a managed block of calmkb do not count:
what stands there is not the person's to read as a section, or is rewritten by `calmkb export`.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

AGENT_HEADINGS = ("Commands", "Conventions", "Gotchas", "Preferences")
TEMPLATE = "# CLAUDE.md\n\n" + "\n\n".join(f"## {name}" for name in AGENT_HEADINGS) + "\n"

_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*\Z")
_UNDERLINE = re.compile(r" {0,3}(=+|-+)[ \t]*\Z")
_NO_PARAGRAPH = re.compile(r"\s*(?:[-*+>|]|\d+[.)]\s|#|\Z)| {4}|\t")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_MARK = re.compile(r"\ufeff?[ \t>]*<!--\s*calmkb:(begin|end)\b", re.IGNORECASE)
_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d+[.)])[ \t]|[ \t]+\S")
_PARAGRAPHS_DEEPEST = 6


@dataclass(frozen=True, slots=True)
class _Heading:
    line: int
    below: int  # the first line after it: an underlined heading takes two
    level: int
    title: str


@dataclass(frozen=True, slots=True)
class _Outline:
    """The headings that count, the lines that are hidden, and where the readable text ends."""

    headings: tuple[_Heading, ...]
    hidden: frozenset[int]
    end: int


def add_item(text: str, heading: str, item: str) -> str:
    """Return `text` with `- item` at the end of the section `heading`, which is made if missing.

    Where the very line stands there already, outside any managed block, nothing changes.
    """
    lines = text.split("\n")
    outline = _outline(lines)
    wanted = f"- {item}"
    seen = (line for n, line in enumerate(lines) if n not in outline.hidden)
    if any(line.rstrip() == wanted for line in seen):
        return text
    return _added(text, outline, heading, [wanted], deepest=_PARAGRAPHS_DEEPEST)


def add_entry(text: str, heading: str, entry: Sequence[str]) -> str:
    """Return `text` with an entry (its own sub-heading and lines) at the end of a section."""
    return _added(text, _outline(text.split("\n")), heading, entry, deepest=2)


def visible_lines(text: str) -> list[str]:
    """Return all lines but those of comments; a managed block and code say something too."""
    return [line.rstrip("\r") for line in re.sub(r"(?s)<!--.*?-->", "", text).split("\n")]


def _added(
    text: str, outline: _Outline, heading: str, block: Sequence[str], *, deepest: int
) -> str:
    """Return `text` with `block` in the section, set off by blank lines where it needs them.

    A section's text ends at the next heading of at most `deepest`, or where a managed block begins.
    """
    lines = text.split("\n")
    count = len(lines) - (lines[-1] == "")
    place = next((h for h in outline.headings if _same(h, heading)), None)
    if place is None:
        at = _last_said(lines, 0, min(outline.end, count))
        gap = [""] if at else []
        return _inserted(text, at, [*gap, f"## {heading}", "", *block])
    later = [h.line for h in outline.headings if h.line > place.line and h.level <= deepest]
    stop = min([outline.end, count, *later, *_blocks_after(lines, place.line)])
    at = _last_said(lines, place.below, stop)
    listed = at > place.below and _ITEM.match(lines[at - 1]) and block[0].startswith("- ")
    follows = at < count and lines[at].strip() != ""
    return _inserted(text, at, [*([] if listed else [""]), *block, *([""] if follows else [])])


def _same(heading: _Heading, title: str) -> bool:
    return heading.level == 2 and heading.title.casefold() == title.casefold()


def _last_said(lines: Sequence[str], start: int, stop: int) -> int:
    """Return the line after the last one in `start` to `stop` that is not blank."""
    while stop > start and not lines[stop - 1].strip("\ufeff \t\r"):
        stop -= 1
    return stop


def _blocks_after(lines: Sequence[str], line: int) -> list[int]:
    begins = (n for n in range(line + 1, len(lines)) if _MARK.match(lines[n]))
    return list(begins)[:1]


def _inserted(text: str, at: int, block: Sequence[str]) -> str:
    """Return `text` with the lines of `block` before line `at`, ending as the other lines do."""
    newline = "\r\n" if text.count("\r\n") * 2 > text.count("\n") else "\n"
    parts = re.findall(r"[^\n]*\n|[^\n]+", text)
    offset = sum(map(len, parts[:at]))
    if offset and text[offset - 1] != "\n":  # after a last line that has no end: the file keeps so
        return text + newline + newline.join(block)
    return text[:offset] + "".join(line + newline for line in block) + text[offset:]


def _outline(lines: Sequence[str]) -> _Outline:
    hidden, end = _hidden(lines)
    headings = tuple(_headings([line.rstrip("\r") for line in lines[:end]], hidden))
    return _Outline(headings, frozenset(hidden), end)


def _headings(lines: Sequence[str], hidden: set[int]) -> Iterator[_Heading]:
    for number, line in enumerate(lines):
        if number in hidden:
            continue
        plain = line.removeprefix("\ufeff") if number == 0 else line
        if found := _HEADING.match(plain):
            yield _Heading(number, number + 1, len(found[1]), (found[2] or "").strip())
        elif (
            number + 1 < len(lines)
            and number + 1 not in hidden
            and not _NO_PARAGRAPH.match(plain)
            and (under := _UNDERLINE.match(lines[number + 1]))
        ):
            yield _Heading(number, number + 2, 1 if under[1][0] == "=" else 2, plain.strip())


def _hidden(lines: Sequence[str]) -> tuple[set[int], int]:
    """Return the lines in code, comments and managed blocks, and where one of them never ends."""
    hidden: set[int] = set()
    number = 0
    while number < len(lines):
        last = _closing(lines, number)
        if last is None:
            number += 1
            continue
        if last >= len(lines):
            return hidden | set(range(number, len(lines))), number
        hidden |= set(range(number, last + 1))
        number = last + 1
    return hidden, len(lines)


def _closing(lines: Sequence[str], first: int) -> int | None:
    """Return the last line of what begins at `first` and hides: len(lines) if it never ends."""
    line, rest = lines[first], range(first + 1, len(lines))
    mark = _MARK.match(line)
    if mark and mark[1].lower() == "begin":
        ends = ((n, _MARK.match(lines[n])) for n in rest)
        return next((n for n, m in ends if m and m[1].lower() == "end"), len(lines))
    if fence := _FENCE.match(line):
        close = re.compile(rf" {{0,3}}{fence[1][0]}{{{len(fence[1])},}}[ \t\r]*\Z")
        return next((n for n in rest if close.match(lines[n])), len(lines))
    opened = line.rfind("<!--")
    if opened >= 0 and "-->" not in line[opened:]:
        return next((n for n in rest if "-->" in lines[n]), len(lines))
    return None
