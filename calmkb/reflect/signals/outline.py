"""The headings of a Markdown text that count, and the lines that are hidden from a reader.

Headings in code, in comments and in a managed block of calmkb do not count: a reader does not see
them as sections, or `calmkb export` rewrites them.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

BLOCK_MARK = re.compile(r"\ufeff?[ \t>]*<!--\s*calmkb:(begin|end)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading, in number signs or underlined."""

    line: int
    below: int  # the first line after it: an underlined heading takes two or more
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
    hidden, end = _managed(lines)
    # The parser would take a lone carriage return for the end of a line.
    shown = ["" if n in hidden else line.replace("\r", " ") for n, line in enumerate(lines)]
    shown[0] = shown[0].removeprefix("\ufeff")
    tokens = _parser().parse("\n".join(shown[:end]))
    headings = tuple(_headings(tokens))
    for token in tokens:
        first, after = token.map or (0, 0)
        comment = token.type == "html_block" and token.content.lstrip().startswith("<!--")
        if token.type == "fence" or comment:
            if token.level == 0 and not _is_closed(token, shown[after - 1]):
                return Outline(headings, frozenset(hidden | {*range(first, len(lines))}), first)
            if token.type == "fence" or after - first > 1:
                hidden |= {*range(first, after)}
    return Outline(headings, frozenset(hidden), end)


def _headings(tokens: Sequence["Token"]) -> Iterator[Heading]:
    for number, token in enumerate(tokens):
        if token.type == "heading_open" and token.level == 0 and token.map:
            first, below = token.map
            yield Heading(first, below, int(token.tag[1]), tokens[number + 1].content.strip())


@lru_cache(maxsize=1)
def _parser() -> "MarkdownIt":
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark").disable("inline")


def _is_closed(token: "Token", last: str) -> bool:
    if token.type != "fence":
        return "-->" in token.content
    first, after = token.map or (0, 0)
    return (
        after - first > 1
        and re.fullmatch(rf" {{0,3}}{token.markup}{token.markup[0]}*\s*", last) is not None
    )


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
