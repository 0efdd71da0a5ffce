"""Claude Code's memory file."""

from calmkb.export.base import Exporter, Output, Reader
from calmkb.export.choice import Selection
from calmkb.export.digest import render_digest

FILE = "CLAUDE.md"


def render(selection: Selection) -> tuple[Output, ...]:
    """Return the block with the digest, and where each line comes from."""
    return (Output(FILE, render_digest(selection, ids=True)),)


READER = Reader(
    files=(FILE, ".claude/CLAUDE.md", "CLAUDE.local.md"),
    home=".claude/CLAUDE.md",
    rules=".claude/rules/*.md",
    imports=True,
)
EXPORTER = Exporter(name="claude-md", file=FILE, reader=READER, render=render, order=1)
