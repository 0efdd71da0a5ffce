"""The headings of a Markdown text that count, and the lines that are hidden from a reader.

Headings in code, in comments and in a managed block of calmkb do not count: what stands there is
not the person's to read as a section, or is rewritten by `calmkb export`.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*\Z")
_UNDERLINE = re.compile(r" {0,3}(=+|-+)[ \t]*\Z")
_NO_PARAGRAPH = re.compile(r"\s*(?:[-*+>|]|\d+[.)]\s|#|\Z)| {4}|\t")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
BLOCK_MARK = re.compile(r"\ufeff?[ \t>]*<!--\s*calmkb:(begin|end)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading, in number signs or underlined."""

    line: int
    below: int  # the first line after it: an underlined heading takes two
    level: int
    title: str


@dataclass(frozen=True, slots=True)
class Outline:
    """The headings that count, the lines that are hidden, and where the readable text ends."""

    headings: tuple[Heading, ...]
    hidden: frozenset[int]
    end: int


def outline(lines: Sequence[str]) -> Outline:
    """Return the outline of a text split at its line feeds."""
    hidden, end = _hidden(lines)
    headings = tuple(_headings([line.rstrip("\r") for line in lines[:end]], hidden))
    return Outline(headings, frozenset(hidden), end)


def _headings(lines: Sequence[str], hidden: set[int]) -> Iterator[Heading]:
    for number, line in enumerate(lines):
        if number in hidden:
            continue
        plain = line.removeprefix("\ufeff") if number == 0 else line
        if found := _HEADING.match(plain):
            yield Heading(number, number + 1, len(found[1]), (found[2] or "").strip())
        elif (
            number + 1 < len(lines)
            and number + 1 not in hidden
            and not _NO_PARAGRAPH.match(plain)
            and (under := _UNDERLINE.match(lines[number + 1]))
        ):
            yield Heading(number, number + 2, 1 if under[1][0] == "=" else 2, plain.strip())


def _hidden(lines: Sequence[str]) -> tuple[set[int], int]:
    """Return the lines in code, comments and managed blocks, and where one of them never ends."""
    hidden, end = _managed(lines)
    number = 0
    while number < end:
        last = None if number in hidden else _closing(lines, number, hidden)
        if last is not None:
            hidden |= set(range(number, last + 1))
            end = number if last >= len(lines) else end
        number = number + 1 if last is None else last + 1
    return hidden, end


def _managed(lines: Sequence[str]) -> tuple[set[int], int]:
    """Return the lines of managed blocks, as `calmkb export` finds them: code or not."""
    hidden: set[int] = set()
    begun: int | None = None
    for number, line in enumerate(lines):
        mark = BLOCK_MARK.match(line)
        if mark and mark[1].lower() == "begin" and begun is None:
            begun = number
        elif mark and mark[1].lower() == "end" and begun is not None:
            hidden |= set(range(begun, number + 1))
            begun = None
    if begun is None:
        return hidden, len(lines)
    return hidden | set(range(begun, len(lines))), begun


def _closing(lines: Sequence[str], first: int, managed: set[int]) -> int | None:
    """Return the last line of the code or comment that begins here: len(lines) if it never ends.

    A managed block has its own comments; they close nobody else's.
    """
    line = lines[first]
    rest = [number for number in range(first + 1, len(lines)) if number not in managed]
    if fence := _FENCE.match(line):
        close = re.compile(rf" {{0,3}}{fence[1][0]}{{{len(fence[1])},}}[ \t\r]*\Z")
        return next((n for n in rest if close.match(lines[n])), len(lines))
    opened = line.rfind("<!--")
    if opened >= 0 and "-->" not in line[opened:]:
        return next((n for n in rest if "-->" in lines[n]), len(lines))
    return None
