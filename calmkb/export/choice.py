"""Which memories a digest holds: what is worth most for its tokens, and why the others are out."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from calmkb.export.safe_text import Dialect, clip, one_line
from calmkb.export.tokens import estimate_tokens
from calmkb.export.worth import Facts, worth
from calmkb.model import GLOBAL_SCOPE, UNKNOWN_SCOPE, Category, Memory
from calmkb.model.checks import LINE_LIMIT
from calmkb.redact.invisible import show_invisible, strip_invisible

HEADINGS: dict[str, tuple[Category, ...]] = {
    "Commands": ("workflow",),
    "Conventions": ("decision", "fact"),
    "Gotchas": ("error",),
    "Preferences": ("preference",),
}
LONGEST = 400
"""Characters of one item; the whole memory is a search away."""
_BULLET = 2
_FACTS = Facts()
Cost = Callable[["Selection"], int]
"""What a selection takes as it is written, in tokens."""


@dataclass(frozen=True, slots=True)
class Item:
    """A memory as a digest says it: one safe line, its estimated tokens, its worth (0 to 1).

    `approved` says who approved it, where that was asked for.
    """

    memory: Memory
    text: str
    tokens: int
    worth: float
    approved: str = ""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A memory that the digest does not hold, and why; `room` where only the budget is to blame."""

    item: Item
    reason: str
    room: bool = False


@dataclass(frozen=True, slots=True)
class Selection:
    """What a digest holds, worthiest first, what it leaves out, and what it may cost in tokens."""

    project: str
    items: tuple[Item, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    budget: int | None = None

    @property
    def crowded_out(self) -> int:
        """How many had no room."""
        return sum(one.room for one in self.left_out)


@dataclass(frozen=True, slots=True)
class SelectionRequest:
    """What is asked of a selection.

    `known` says by memory id where a person has written the same, `elsewhere` which file of the
    same reader holds it, `barred` why one may not be in this file. `approved` says who approved
    each, for the targets that tell it. `budget` is in tokens, None for no bound.
    """

    project: str
    budget: int | None = None
    facts: Mapping[str, Facts] = field(default_factory=dict)
    known: Mapping[str, str] = field(default_factory=dict)
    elsewhere: Mapping[str, str] = field(default_factory=dict)
    barred: Mapping[str, str] = field(default_factory=dict)
    approved: Mapping[str, str] = field(default_factory=dict)
    dialect: Dialect = field(default_factory=Dialect)


def choose(
    memories: Iterable[Memory], request: SelectionRequest, cost: Cost | None = None
) -> Selection:
    """Return the memories for a project that fit into the budget, by worth a square root of tokens.

    The square root lets a long important rule compete with many short ones. No left-out item is
    worth more than a chosen one at an equal or lower cost: such an item would have come first.
    `cost` tells what a selection takes as it is written, headings and all; without it the items'
    own tokens count.
    """
    standing = sorted(map(_visible, memories), key=lambda m: (m.created_at, m.id))
    successors = {memory.supersedes: memory.id for memory in standing if memory.supersedes}
    asked, unfit = [], []
    for memory in standing:
        item = _item(memory, request)
        reason = _unfit(memory, successors, request) or ("" if item.text else "nothing to read")
        if reason:
            unfit.append(LeftOut(item, reason))
        else:
            asked.append(item)
    # By worth for the tokens; at the same price the worthier first.
    asked.sort(key=lambda i: (-i.worth / math.sqrt(i.tokens), -i.worth, i.tokens, i.memory.id))
    filled = partial(_filled, asked, unfit, request)
    if request.budget is None:
        return filled(math.inf)
    if cost is None:
        return filled(request.budget)
    return _fitting(filled, request.budget, cost)


def _visible(memory: Memory) -> Memory:
    """Return the memory with nothing invisible in what is written beside its text."""
    return replace(
        memory,
        scope=strip_invisible(memory.scope),
        paths=tuple(dict.fromkeys(map(_visible_path, memory.paths))),
    )


def _visible_path(path: str) -> str:
    """Return the path without what is invisible, shown instead where nothing else is sound.

    Without such a path the memory would hold everywhere, or lead out of the repository.
    """
    stripped = " ".join(strip_invisible(path).split("\n")).strip()
    outside = stripped.startswith(("/", "~")) or ".." in stripped.split("/")
    # Shown, a path is up to eight times as long, and a memory holds lines of a bounded length.
    shown = " ".join(show_invisible(path).split("\n"))[:LINE_LIMIT]
    return shown if outside or not stripped else stripped


def in_scope(memories: Iterable[Memory], project: str) -> list[Memory]:
    """Return the memories for `project`: the global ones and its own, not what was superseded."""
    standing = list(memories)
    successors = {memory.supersedes: memory.id for memory in standing if memory.supersedes}
    fit = [
        memory for memory in standing if not _unfit(memory, successors, SelectionRequest(project))
    ]
    return sorted(fit, key=lambda m: (-m.importance, m.created_at, m.id))


def _item(memory: Memory, request: SelectionRequest) -> Item:
    text = one_line(memory.text, request.dialect)
    if len(text) > LONGEST:
        text = (
            f"{clip(text, LONGEST, request.dialect)} (`calmkb show {memory.id[:8]}` has all of it)"
        )
    if memory.paths and not request.dialect.scoped:
        paths = (one_line(path).replace("`", "") for path in memory.paths)
        named = ", ".join(f"`{path}`" for path in paths if path)
        text = f"In {named}: {text}" if named else text
    facts = request.facts.get(memory.id, _FACTS)
    approved = request.approved.get(memory.id, "")
    return Item(memory, text, estimate_tokens(text) + _BULLET, worth(memory, facts), approved)


def _unfit(memory: Memory, successors: Mapping[str, str], request: SelectionRequest) -> str:
    """Return why a memory is not for this file, or nothing."""
    if successor := successors.get(memory.id):
        return f"superseded by {successor[:8]}"
    if memory.scope == UNKNOWN_SCOPE:
        return f"scope unknown; say it with: calmkb memory edit {memory.id[:8]} --scope NAME"
    if memory.scope.casefold() not in (GLOBAL_SCOPE, request.project.casefold()):
        return f"holds for {memory.scope} alone"
    if reason := request.barred.get(memory.id):
        return reason
    if place := request.known.get(memory.id):
        return f"a person has written it: {place}"
    if place := request.elsewhere.get(memory.id):
        return f"left to {place}"
    return ""


def _filled(
    by_price: Sequence[Item], unfit: Sequence[LeftOut], request: SelectionRequest, room: float
) -> Selection:
    """Return a selection whose items take at most `room` tokens, the best price first."""
    chosen, left_out = [], list(unfit)
    for item in by_price:
        if item.tokens <= room:
            chosen.append(item)
            room -= item.tokens
        else:
            reason = f"no room: worth {item.worth:.2f} for {item.tokens} tokens"
            left_out.append(LeftOut(item, reason, room=True))
    chosen.sort(key=lambda i: (-i.worth, i.memory.created_at, i.memory.id))
    left_out.sort(key=lambda o: (not o.room, -o.item.worth, o.item.memory.id))
    return Selection(request.project, tuple(chosen), tuple(left_out), request.budget)


def _fitting(filled: Callable[[float], Selection], budget: int, cost: Cost) -> Selection:
    """Return the fullest selection that keeps to the budget as written, found by halving.

    The items' own tokens are rounded up one by one: all together may cost a little less.
    """
    best, low, high = filled(0), 0, budget * 5 // 4 + 1
    while high - low > 1:
        room = (low + high) // 2
        tried = filled(room)
        if cost(tried) <= budget:
            best, low = tried, room
        else:
            high = room
    return best
