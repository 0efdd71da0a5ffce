r"""Sections and bullet lists that give any text back exactly as it went in.

Escapes, all of which Markdown shows as the plain text: a body line that looks like a `## ` heading
or the beginning of a merge conflict gets a backslash, and so does a code fence that is not closed,
which would hide the headings after it, and a blank first or last line, which would be trimmed.
"""

import re
from collections.abc import Iterable, Iterator

from calmkb.model import Section

_HEADING = re.compile(r"##[ \t]+(\S.*?)[ \t]*\Z", re.DOTALL)
_ESCAPED = re.compile(r"\\*(?:##(?:[ \t]|\Z)|<{7}(?:[ \r]|\Z)|`{3}|~{3})")
_FENCE = re.compile(r"(`{3,}(?=[^`]*\Z)|~{3,})(.*)", re.DOTALL)
_BLANK_LIKE = re.compile(r"\\*\s*\Z")
_BULLET = re.compile(r"(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|\Z)")


def render_text(text: str) -> str:
    """Return `text` as the body of a section."""
    lines = text.split("\n")
    code = fenced(lines)
    lines = [_escape(line, is_fence=at in code) for at, line in enumerate(lines)]
    return "\n".join(_guard_edges(lines))


def parse_text(raw: str) -> str:
    """Return the text of a section's body; blank lines around it are dropped."""
    trimmed = _trim(raw.split("\n"))
    lines = [one.removeprefix("\\") if _ESCAPED.match(one) else one for one in trimmed]
    return "\n".join(_unguard_edges(lines))


def render_items(items: tuple[str, ...]) -> str:
    """Return `items` as a bullet list; further lines of an item are indented by two blanks."""
    return "\n".join(_render_item(item) for item in items)


def parse_items(raw: str) -> tuple[str, ...]:
    """Return the items of a bullet list; a loose paragraph is an item too, nothing is dropped."""
    items: list[list[str]] = []
    after_blank = True
    for line in _trim(raw.split("\n")):
        bullet = _BULLET.match(line)
        if bullet:
            # Our own bullets are `- `: what follows the first blank belongs to the text.
            cut = 2 if line.startswith("- ") else bullet.end()
            items.append([line[cut:]])
        elif not line.strip() and not line.startswith("  "):
            if items:
                items[-1].append("")
        elif line.startswith("  ") and items:
            items[-1].append(line[2:])
        elif items and not after_blank:
            items[-1].append(line)
        else:
            items.append([line])
        after_blank = not line.strip()
    return tuple("\n".join(_unguard_edges(_trim(lines))) for lines in items)


def split(body: str) -> tuple[str, list[tuple[str, str, int]]]:
    """Split a body into the text before the first heading and (heading, raw text, line)."""
    before: list[str] = []
    found: list[tuple[str, list[str], int]] = []
    lines = body.split("\n")
    code = fenced(lines)
    for number, line in enumerate(lines, 1):
        heading = None if number - 1 in code else _HEADING.match(line)
        if heading:
            found.append((heading.group(1), [], number))
        else:
            (found[-1][1] if found else before).append(line)
    return "\n".join(before), [(name, "\n".join(lines), line) for name, lines, line in found]


def join(before: str, parts: list[tuple[str, str]]) -> str:
    """Return a body of `before` and of (heading, rendered text) pairs; empty texts are left out."""
    blocks = [before] if before else []
    blocks += [f"## {heading}\n\n{text}" for heading, text in parts if text]
    return "\n\n".join(blocks) + "\n"


def render_others(sections: tuple[Section, ...]) -> list[tuple[str, str]]:
    """Return the sections that no field claims, rendered, an empty one as its heading alone."""
    return [(section.heading, render_text(section.text)) for section in sections]


def fenced(lines: list[str]) -> set[int]:
    """Return the places of the lines in closed code fences that begin a line, fences included."""
    return {at for first, last in fences(lines) for at in range(first, last + 1)}


def fences(lines: Iterable[str]) -> Iterator[tuple[int, int]]:
    """Yield the first and last line of each code fence; the last of an open one is -1."""
    start, fence = 0, ""
    for at, line in enumerate(lines):
        found = _FENCE.match(line)
        if found and not fence:
            start, fence = at, found[1]
        elif found and found[1].startswith(fence) and not found[2].strip():
            yield start, at
            fence = ""
    if fence:
        yield start, -1


def _render_item(item: str) -> str:
    first, *rest = _guard_edges(item.split("\n"))
    return "\n".join([f"- {first}", *(f"  {line}" if line else "" for line in rest)])


def _trim(lines: list[str]) -> list[str]:
    told = [at for at, line in enumerate(lines) if line.strip()]
    return lines[told[0] : told[-1] + 1] if told else []


def _escape(line: str, *, is_fence: bool) -> str:
    plain = is_fence and _FENCE.match(line)
    return "\\" + line if _ESCAPED.match(line) and not plain else line


def _guard_edges(lines: list[str]) -> list[str]:
    """Mark a blank-looking first and last line, so that trimming leaves it."""
    guarded = list(lines)
    for index in {0, len(lines) - 1}:
        if _BLANK_LIKE.match(guarded[index]):
            guarded[index] = "\\" + guarded[index]
    return guarded


def _unguard_edges(lines: list[str]) -> list[str]:
    plain = list(lines)
    for index in {0, len(lines) - 1} if lines else set():
        if plain[index].startswith("\\") and _BLANK_LIKE.match(plain[index]):
            plain[index] = plain[index][1:]
    return plain
