"""GitHub Copilot's instructions: one file for the repository, and one for each set of paths."""

from collections.abc import Sequence
from dataclasses import replace

from calmkb.export.base import Exporter, Output, Reader
from calmkb.export.choice import Selection
from calmkb.export.digest import render_digest
from calmkb.export.safe_text import Dialect
from calmkb.export.targets.rules import joined, rule_files, text

FILE = ".github/copilot-instructions.md"
FOLDER = ".github/instructions"


def render(selection: Selection) -> tuple[Output, ...]:
    """Return the block of the repository's file, and a file of ours for each set of paths."""
    scoped = replace(selection, items=tuple(i for i in selection.items if i.memory.paths))
    everywhere = replace(selection, items=tuple(i for i in selection.items if not i.memory.paths))
    name = f"{FOLDER}/{{}}.instructions.md"
    everywhere_text = render_digest(everywhere)
    rest = (
        replace(scoped, left_out=()) if everywhere_text else scoped
    )  # how many had no room is said once
    return (Output(FILE, everywhere_text), *rule_files(rest, name.format, _front))


def _front(paths: Sequence[str]) -> str:
    return f"---\napplyTo: {text(joined(paths))}\n---\n"


EXPORTER = Exporter(
    name="copilot",
    file=FILE,
    reader=Reader(files=(FILE,), rules=f"{FOLDER}/*.instructions.md"),
    render=render,
    dialect=Dialect(scoped=True),
    owned=f"{FOLDER}/calmkb-*.instructions.md",
    order=5,
)
