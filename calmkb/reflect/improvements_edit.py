"""A project's list of improvements, written: items added, moved and reworded, no more than that.

Pure: text in, text out. Every byte that is not calmkb's stays, a person's notes in an item too.
"""

import re
from collections.abc import Mapping, Sequence

from calmkb.reflect.improvements_file import Item
from calmkb.reflect.learnings_improvements import (
    LABELS,
    SECTIONS,
    Words,
    heading_line,
    mark_line,
    part_line,
)
from calmkb.reflect.learnings_sections import add_entry


def put_item(text: str, item: Item, identity: str, words: Words) -> str:
    """Return `text` with `item` saying `words`, under the heading of their state.

    Only lines that say something else change; a tick that was read is taken out.
    """
    lines = text.split("\n")
    newline = "\r" if lines[item.first].endswith("\r") else ""
    made = _reworded(lines, item, identity, words)
    block = [made.get(n, [lines[n]]) for n in range(item.first, item.after)]
    new = [line for some in block for line in some]
    if item.state in ("", words.state) and _stands(item, words):
        return "\n".join([*lines[: item.first], *new, *lines[item.after :]])
    while new and not new[-1].strip():
        new.pop()
    before, after = lines[: item.first], lines[item.after :]
    while before and after and not before[-1].strip() and not after[0].strip():
        after.pop(0)
    if text.endswith("\n") and not after and before and before[-1]:
        after = [""]
    moved = [line.removesuffix(newline) if newline else line for line in new]
    return add_entry("\n".join([*before, *after]), SECTIONS[words.state], moved)


def put_mark(text: str, item: Item, identity: str, mark: str) -> str:
    """Return `text` with the comment that `item` is known by from now on, below its parts."""
    lines = text.split("\n")
    end = "\r" if lines[item.first].endswith("\r") else ""
    if item.marked_at >= 0:
        lines[item.marked_at] = mark_line(identity, mark) + end
        return "\n".join(lines)
    at = max([item.first, *(part.after - 1 for part in item.parts.values())]) + 1
    gap = [] if item.parts else [end]
    if at == len(lines):  # a last line without an end stays so
        return "\n".join([*lines[:-1], lines[-1] + end, *gap, mark_line(identity, mark)])
    return "\n".join([*lines[:at], *gap, mark_line(identity, mark) + end, *lines[at:]])


def _stands(item: Item, words: Words) -> bool:
    """Tell whether the item's section is that of the state already, or none that calmkb knows."""
    known = {name.casefold(): state for state, name in SECTIONS.items()} | {"done": "applied"}
    return known.get(item.section, words.state) == words.state


def _reworded(
    lines: Sequence[str], item: Item, identity: str, words: Words
) -> Mapping[int, list[str]]:
    """Return what takes the place of lines: of the heading, parts, ticks and the comment."""
    end = "\r" if lines[item.first].endswith("\r") else ""
    made: dict[int, list[str]] = {number: [] for number in item.ticks}
    if item.title != words.title or item.ticked:
        made[item.first] = [heading_line(item.date, words.title) + end]
    for name in LABELS:
        value, part = getattr(words, name), item.parts.get(name)
        line = part_line(name, value)
        if part is None:  # an item says what its lines say; none is forced on it
            continue
        if _differs(name, part.value, value):
            made |= {n: [] for n in range(part.first, part.after)}
            made[part.first] = [line + end] if line else []
        elif item.ticked and re.match(r"\s*[-*+]\s+\[[xX]\]", lines[part.first]):
            made[part.first] = [re.sub(r"\[[xX]\]\s+", "", lines[part.first], count=1)]
    if item.marked_at >= 0:
        made[item.marked_at] = [mark_line(identity, words.mark) + end]
    return made


def _differs(name: str, there: str, wanted: str) -> bool:
    if name in ("impact", "confidence"):
        return there.casefold() != wanted.casefold()
    return there != wanted
