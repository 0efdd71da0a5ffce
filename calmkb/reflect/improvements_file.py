"""A project's list of improvements, read: its items, where they stand, what they say.

Pure: text in, items out. An item is a heading of level three with what is below it, up to the next
heading of its level or above. It is known by the comment that calmkb put into it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from calmkb.errors import CalmError
from calmkb.model import IMPACTS, Improvement
from calmkb.reflect.learnings_improvements import (
    LABELS,
    SECTIONS,
    TICK,
    Plain,
    Words,
    bare_title,
    sureness,
    words_of,
)
from calmkb.reflect.learnings_outline import BLOCK_MARK, Heading, Outline, outline

ITEM_LEVEL = 3
_STATES = {name.casefold(): state for state, name in SECTIONS.items()} | {"done": "applied"}
_MARK = re.compile(r"\s*<!-- calmkb:improvement ([0-9a-f-]{36}) ([0-9a-f]{16}) -->\s*\Z")
_HEAD = re.compile(
    rf"(?P<t1>{TICK}\s*)?(?:\[ \]\s*)?(?:\[(?P<date>\d{{4}}-\d\d-\d\d)\])?\s*"
    rf"(?P<t2>{TICK}\s*)?(?:\[ \]\s*)?(?P<title>.*?)(?P<t3>\s*{TICK})?\Z"
)
_PART = re.compile(
    r"[-*+]\s+(?P<box>\[[ xX]\]\s+)?\*\*(?P<label>[A-Za-z ]+?):?\*\*:?[ \t]*(?P<value>.*)\Z"
)
_DONE = re.compile(
    r"[-*+]\s+(?:\[[xX]\]\s*\**(?:done|applied|fixed)?\**\.?"
    r"|\**(?:state|status)\**:?\**\s*(?P<state>done|applied|deferred)\.?)\s*\Z",
    re.IGNORECASE,
)
_CONFLICT = re.compile(r"(?:<{7}|>{7}) ")
_NAMES = {label.casefold(): name for name, label in LABELS.items()} | {"action": "action"}


@dataclass(frozen=True, slots=True)
class Part:
    """A part of an item: the first of its lines and the one after its last, and what it says."""

    first: int
    after: int
    value: str


@dataclass(frozen=True, slots=True)
class Item:
    """An item from line `first` up to `after`; `identity` and `mark` as its comment has them.

    `state` is what its section, a tick or a line of it says, "" where nothing does; `ticks` are the
    lines that say so and nothing else.
    """

    first: int
    after: int
    section: str
    state: str
    date: str
    title: str
    ticked: bool
    parts: dict[str, Part]
    ticks: tuple[int, ...]
    identity: str = ""
    mark: str = ""
    marked_at: int = -1

    def text(self, lines: Sequence[str]) -> str:
        """Return what stands in the item beside its heading, parts, ticks and comment."""
        ours = {n for part in self.parts.values() for n in range(part.first, part.after)}
        ours |= {self.first, self.marked_at, *self.ticks}
        kept = (lines[n].rstrip() for n in range(self.first, self.after) if n not in ours)
        return "\n".join(kept).strip()


@dataclass(frozen=True, slots=True)
class Board:
    """The items of a file; `named` are the ids of all comments of ours, those astray too."""

    items: tuple[Item, ...]
    named: frozenset[str]

    def find(self, identity: str, section: str | None = None) -> Item:
        """Return the item of an id, of several the one in `section`; it must be there."""
        found = [item for item in self.items if item.identity == identity]
        return next((item for item in found if item.section == section), found[0])


def read_board(text: str, place: str) -> Board:
    """Return what the file `place` holds.

    Raises CalmError where its end cannot be told, or two versions of it stand side by side.
    """
    lines = [line.rstrip("\r") for line in text.split("\n")]
    found = outline(text.split("\n"))
    if found.end < len(lines):
        raise CalmError(
            f"{place}:{found.end + 1}: code or a comment begins that never ends; close it first"
        )
    if any(_CONFLICT.match(line) for line in lines):
        raise CalmError(f"{place} holds two versions side by side; settle the merge first")
    items = tuple(_items(lines, found))
    # What somebody put into a comment or into code has not been taken out.
    marks = map(_MARK.match, lines)
    return Board(items, frozenset(mark[1] for mark in marks if mark))


def said(item: Item, record: Improvement, plain: Plain) -> Words:
    """Return what an item says of `record`; where it has no line for a part, the record stands.

    So it does where there must be words and there are none, or where they are none of the choice.
    """
    kept = words_of(record, plain)
    value = {name: part.value for name, part in item.parts.items()}
    impact, confidence = value.get("impact", "").lower(), value.get("confidence", "")
    return Words(
        state=item.state or kept.state,
        title=item.title or kept.title,
        category=value.get("category", kept.category),
        impact=impact if impact in IMPACTS else kept.impact,
        details=value.get("details", "") or kept.details,
        action=value.get("action", kept.action),
        confidence=confidence if sureness(confidence) else kept.confidence,
    )


def _items(lines: Sequence[str], found: Outline) -> list[Item]:
    section, items = "", []
    for number, heading in enumerate(found.headings):
        if heading.level < ITEM_LEVEL:
            section = heading.title.casefold() if heading.level == ITEM_LEVEL - 1 else ""
        elif heading.level == ITEM_LEVEL:
            later = found.headings[number + 1 :]
            after = next((h.line for h in later if h.level <= ITEM_LEVEL), len(lines))
            blocks = (n for n in range(heading.below, after) if BLOCK_MARK.match(lines[n]))
            after = next(blocks, after)
            items.append(_item(lines, heading, after, section, found.hidden))
    return items


def _item(
    lines: Sequence[str], heading: Heading, after: int, section: str, hidden: frozenset[int]
) -> Item:
    head = _HEAD.match(heading.title)
    assert head  # noqa: S101 - every part of it may be missing
    seen = [n for n in range(heading.below, after) if n not in hidden]
    title, ticked = head["title"], bool(head["t1"] or head["t2"] or head["t3"])
    ticked = ticked or (title.startswith("~~") and title.endswith("~~"))
    title = bare_title(title) if title else ""
    parts, boxed = _parts(lines, seen)
    done = {n: found for n in seen if (found := _DONE.match(lines[n].strip()))}
    told = {(found["state"] or "applied").lower() for found in done.values()}
    said = "deferred" if told == {"deferred"} else "applied" if told or ticked or boxed else ""
    state = _STATES.get(section, "")
    item = Item(
        first=heading.line, after=after, section=section, date=head["date"] or "", title=title,
        state={"": "", "pending": said or "pending"}.get(state, state), ticked=ticked or boxed,
        parts=parts, ticks=tuple(done),
    )  # fmt: skip
    at = next((n for n in seen if _MARK.match(lines[n])), -1)
    mark = _MARK.match(lines[at]) if at >= 0 else None
    return replace(item, identity=mark[1], mark=mark[2], marked_at=at) if mark else item


def _parts(lines: Sequence[str], seen: Sequence[int]) -> tuple[dict[str, Part], bool]:
    """Return the labelled parts, each with the lines that go on with it, and whether one is ticked.

    A line goes on with the one before unless it is blank, begins an item of a list or is a comment.
    """
    parts: dict[str, Part] = {}
    boxed = False
    for place, number in enumerate(seen):
        found = _PART.match(lines[number].strip())
        name = _NAMES.get(found["label"].casefold()) if found else None
        if not found or name is None or name in parts:
            continue
        words = [found["value"].strip()]
        after = number + 1
        for next_one in seen[place + 1 :]:
            line = lines[next_one].strip()
            if next_one != after or not line or re.match(r"[-*+]\s|\d+[.)]\s|<!--|#{1,6}\s", line):
                break
            words.append(line)
            after += 1
        parts[name] = Part(number, after, " ".join(word for word in words if word))
        boxed = boxed or (found["box"] or "").strip().lower() == "[x]"
    return parts, boxed
