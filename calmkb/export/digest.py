"""Approved memories as the few lines that an agent reads: four headings, the worthiest first."""

from collections.abc import Iterable

from calmkb.export.safe_text import one_line
from calmkb.model import GLOBAL_SCOPE, Category, Memory

HEADINGS: dict[str, tuple[Category, ...]] = {
    "Commands": ("workflow",),
    "Conventions": ("decision", "fact"),
    "Gotchas": ("error",),
    "Preferences": ("preference",),
}


def in_scope(memories: Iterable[Memory], project: str) -> list[Memory]:
    """Return the memories for `project`: the global ones and its own, not what was superseded."""
    standing = list(memories)
    replaced = {memory.supersedes for memory in standing if memory.supersedes}
    scopes = {GLOBAL_SCOPE, project.casefold()}
    chosen = [m for m in standing if m.scope.casefold() in scopes and m.id not in replaced]
    return sorted(chosen, key=lambda m: (-m.importance, m.created_at, m.id))


def digest(memories: Iterable[Memory], project: str) -> str:
    """Return the digest as Markdown, or nothing where no memory is in scope."""
    chosen = in_scope(memories, project)
    blocks = []
    for heading, categories in HEADINGS.items():
        lines = [f"- {one_line(m.text)}" for m in chosen if m.category in categories]
        if lines:
            blocks.append("\n".join([f"## {heading}", "", *lines]))
    return "\n\n".join(blocks)
