"""An exporter: the rules file of the editor Zed."""

from calmkb.export.base import Exporter, Output, Reader
from calmkb.export.choice import Selection
from calmkb.export.digest import render_digest

FILE = ".rules"


def render(selection: Selection) -> tuple[Output, ...]:
    """Return the block with the digest."""
    return (Output(FILE, render_digest(selection)),)


EXPORTER = Exporter(name="zed", file=FILE, reader=Reader(files=(FILE,)), render=render)
