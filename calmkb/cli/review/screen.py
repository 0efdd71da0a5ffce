"""An item of a review laid out for the terminal, from 40 columns on, wide characters too."""

from collections.abc import Sequence

import click

from calmkb.cli.base.layout import columns, wrapped
from calmkb.cli.base.text import visible
from calmkb.cli.review.items import Item, State

_FOLDED = 2  # pieces of evidence that are shown before all are asked for
BOXES: dict[State, str] = {
    "open": "[ ]", "accepted": "[x]", "rejected": "[-]", "merged": "[+]", "replaces": "[=]",
    "dismissed": "[-]",
}  # fmt: skip
_COLOURS: dict[State, str] = {"accepted": "green", "merged": "green", "replaces": "green",
                              "rejected": "red", "dismissed": "red"}  # fmt: skip


def card(item: Item, number: int, count: int, state: State, *, full: bool = False) -> str:
    """Return an item with its position, and its state where it is decided."""
    head = item.heading or f"{number} of {count}"
    lines = [click.style(one, bold=True) for one in wrapped(head, "")]
    lines += wrapped(item.text, "  ")
    lines += _details(item, full=full, indent="  ")
    if state != "open":
        lines.append(click.style(f"  {state}", fg=_COLOURS[state]))
    return "\n".join(lines)


def row(item: Item, number: int, state: State) -> str:
    """Return an item as one line, its box first."""
    from wcwidth import clip, width

    text, room = visible(" ".join(item.text.split())), columns() - 9
    shown = text if width(text) <= room else clip(text, 0, room - 1).rstrip() + "…"
    return f"{_box(state)} {number:3}. {shown}"


def block(item: Item, number: int, state: State) -> str:
    """Return an item with its box and all of its evidence, as a list of many shows it."""
    first, *more = wrapped(item.text, " " * 9)
    lines = [f"{_box(state)} {number:3}. {first.strip()}", *more]
    return "\n".join([*lines, *_details(item, full=True, indent=" " * 9)])


def tally(states: Sequence[State]) -> str:
    """Return how many were decided how, and how many are open."""
    words = {state: "replacing" if state == "replaces" else state for state in _COLOURS}
    counts = [f"{states.count(state)} {word}" for state, word in words.items() if state in states]
    return ", ".join([*counts, f"{states.count('open')} open"])


def _details(item: Item, *, full: bool, indent: str) -> list[str]:
    lines = [click.style(one, dim=True) for one in wrapped(item.facts, indent) if item.facts]
    for warning in item.warnings:
        lines += [click.style(one, fg="yellow") for one in wrapped(warning, indent, mark="! ")]
    for hint in item.hints:
        lines += [click.style(one, dim=True) for one in wrapped(hint, indent, mark="~ ")]
    shown = item.evidence if full else item.evidence[:_FOLDED]
    for quote in shown:
        lines += _folded(wrapped(" ".join(quote.split()), indent, mark="- "), full=full)
    if rest := len(item.evidence) - len(shown):
        lines.append(f"{indent}- and {rest} more (v shows all)")
    return lines


def _folded(lines: list[str], *, full: bool) -> list[str]:
    if full or len(lines) <= _FOLDED:
        return lines
    return [*lines[: _FOLDED - 1], lines[_FOLDED - 1] + " …"]


def _box(state: State) -> str:
    colour = _COLOURS.get(state)
    return click.style(BOXES[state], fg=colour) if colour else BOXES[state]
