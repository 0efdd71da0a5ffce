"""Gemini CLI's memory file."""

from calmkb.export.base import Exporter, Output, Reader
from calmkb.export.choice import Selection
from calmkb.export.digest import render_digest

FILE = "GEMINI.md"


def render(selection: Selection) -> tuple[Output, ...]:
    """Return the block with the digest."""
    return (Output(FILE, render_digest(selection)),)


READER = Reader(files=(FILE,), home=".gemini/GEMINI.md", imports=True)
EXPORTER = Exporter(name="gemini", file=FILE, reader=READER, render=render, order=6)
