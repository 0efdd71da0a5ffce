"""Entries as a page shows them: each answer at its own call, a sub-agent's work inside its call."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from calmkb.wings.runs.model import RunEntry

_DEEPEST = 8


@dataclass(slots=True)
class Node:
    """An entry; for a tool call also what was done inside it, and its answer."""

    entry: RunEntry
    inside: list["Node"] = field(default_factory=list)
    answer: RunEntry | None = None


def arranged(entries: Sequence[RunEntry]) -> list[Node]:
    """Return the entries as trees; one whose call is not among them is by itself."""
    top: list[Node] = []
    calls: dict[str, tuple[Node, int]] = {}
    for entry in entries:
        call = str(entry.data.get("toolCallId") or "")
        if entry.entry_type == "tool:complete" and call in calls and not calls[call][0].answer:
            calls[call][0].answer = entry
            continue
        parent, depth = calls.get(str(entry.data.get("parentToolCallId") or ""), (None, 0))
        node = Node(entry)
        (parent.inside if parent and depth < _DEEPEST else top).append(node)
        if entry.entry_type == "tool:starting" and call:
            calls[call] = (node, depth + 1)
    return top
