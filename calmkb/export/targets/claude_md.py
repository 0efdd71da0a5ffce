"""Claude Code's memory file."""

from calmkb.export.base import Exporter, Output
from calmkb.export.choice import Selection
from calmkb.export.digest import render_digest

FILE = "CLAUDE.md"


def render(selection: Selection) -> tuple[Output, ...]:
    """Return the block with the digest, and where each line comes from."""
    return (Output(FILE, render_digest(selection, ids=True)),)


EXPORTER = Exporter(file=FILE, reader="claude", render=render)
