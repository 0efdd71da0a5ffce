"""Gemini CLI's memory file."""

from calmkb.export.base import Exporter, Output
from calmkb.export.choice import Selection
from calmkb.export.digest import render_digest

FILE = "GEMINI.md"


def render(selection: Selection) -> tuple[Output, ...]:
    """Return the block with the digest."""
    return (Output(FILE, render_digest(selection)),)


EXPORTER = Exporter(file=FILE, reader="gemini", render=render)
