"""The file that Codex, Cursor and many others read."""

from calmkb.export.base import Exporter, Output, Reader
from calmkb.export.choice import Selection
from calmkb.export.digest import render_digest

FILE = "AGENTS.md"


def render(selection: Selection) -> tuple[Output, ...]:
    """Return the block with the digest."""
    return (Output(FILE, render_digest(selection)),)


READER = Reader(files=(FILE,), home=".codex/AGENTS.md")
EXPORTER = Exporter(name="agents-md", file=FILE, reader=READER, render=render, order=3)
