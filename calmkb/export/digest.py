"""A selection as the few lines that an agent reads: four headings, the worthiest first."""

from collections.abc import Callable, Iterable, Sequence

from calmkb.export.base import Output
from calmkb.export.choice import HEADINGS, Item, Selection, SelectionRequest, choose
from calmkb.model import Memory


def digest(memories: Iterable[Memory], project: str) -> str:
    """Return all memories in scope as Markdown, with no bound, or nothing where there are none."""
    return render_digest(choose(memories, SelectionRequest(project)))


def render_digest(selection: Selection, *, ids: bool = False) -> str:
    """Return the digest as Markdown, or nothing where nothing was chosen.

    `ids` adds where each line comes from, in a comment that Claude Code does not show its model.
    """
    blocks = lines_of(selection.items)
    if blocks and selection.crowded_out:
        blocks.append(more(selection.crowded_out))
    if blocks and ids:
        blocks.append(_sources(selection.items))
    return "\n\n".join(blocks)


def block_of(file: str, *, ids: bool = False) -> Callable[[Selection], tuple[Output, ...]]:
    """Return what renders a selection as the block of one file that holds the digest."""
    return lambda selection: (Output(file, render_digest(selection, ids=ids)),)


def lines_of(items: Sequence[Item], *, level: int = 2) -> list[str]:
    """Return a heading with its items for each group that has any."""
    blocks = []
    for heading, categories in HEADINGS.items():
        lines = [f"- {item.text}" for item in items if item.memory.category in categories]
        if lines:
            blocks.append("\n".join([f"{'#' * level} {heading}", "", *lines]))
    return blocks


def more(count: int) -> str:
    """Return the line that tells where the memories are that had no room."""
    return (
        f"{count} more approved {'memory is' if count == 1 else 'memories are'} a search away: "
        "the MCP tool `retrieve_memories`, or `calmkb memory find WORDS`."
    )


def _sources(items: Sequence[Item]) -> str:
    """Return the beginnings of the ids, in the order of the lines."""
    groups = [
        [item.memory.id[:8] for item in items if item.memory.category in categories]
        for categories in HEADINGS.values()
    ]
    ids = " ".join(one for group in groups for one in group)
    return f"<!-- calmkb: {ids} -->"
