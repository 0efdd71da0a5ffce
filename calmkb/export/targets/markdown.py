"""The digest for people: what was learnt, why, and from which sessions."""

from calmkb.export.base import Exporter, Output
from calmkb.export.choice import HEADINGS, Item, Selection
from calmkb.export.safe_text import one_line

FILE = "MEMORIES.md"


def render(selection: Selection) -> tuple[Output, ...]:
    """Return the block with each memory, its reason, and its evidence."""
    blocks = []
    for heading, categories in HEADINGS.items():
        items = [item for item in selection.items if item.memory.category in categories]
        if items:
            blocks.append("\n\n".join([f"## {heading}", *map(_block, items)]))
    return (Output(FILE, "\n\n".join(blocks)),)


def _block(item: Item) -> str:
    memory = item.memory
    lines = [f"**{one_line(memory.text)}**", ""]
    lines += [f"Why: {one_line(memory.why)}", ""] if memory.why else []
    lines += [f"- {e.date}, {one_line(e.project)}: {one_line(e.quote)}" for e in memory.evidence]
    return "\n".join(lines).rstrip()


EXPORTER = Exporter(name="markdown", file=FILE, render=render, order=9)
