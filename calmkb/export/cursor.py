"""Cursor's rules: always on, or attached to the files that they hold for."""

from collections.abc import Sequence

from calmkb.export.base import Exporter, Output
from calmkb.export.choice import Selection
from calmkb.export.rules import rule_files, text
from calmkb.export.safe_text import Dialect

FOLDER = ".cursor/rules"


def render(selection: Selection) -> tuple[Output, ...]:
    """Return a rule for each set of paths."""
    return rule_files(selection, lambda slug: f"{FOLDER}/{slug}.mdc", _front)


def _front(paths: Sequence[str]) -> str:
    about = "What this project has learnt" + (f" about {', '.join(paths)}" if paths else "")
    # Cursor reads globs as one line, separated by commas.
    return (
        f"---\ndescription: {text(about)}\nglobs: {','.join(paths)}\n"
        f"alwaysApply: {'false' if paths else 'true'}\n---\n"
    )


EXPORTER = Exporter(
    file=f"{FOLDER}/calmkb.mdc",
    reader="cursor",
    render=render,
    dialect=Dialect(scoped=True),
    owned=f"{FOLDER}/calmkb*.mdc",
)
