"""Cursor's rules: always on, or attached to the files that they hold for."""

from collections.abc import Sequence

from calmkb.export.base import Exporter, Output, Reader
from calmkb.export.choice import Selection
from calmkb.export.safe_text import Dialect
from calmkb.export.targets.rules import joined, rule_files, text

FOLDER = ".cursor/rules"


def render(selection: Selection) -> tuple[Output, ...]:
    """Return a rule for each set of paths."""
    return rule_files(selection, lambda slug: f"{FOLDER}/{slug}.mdc", _front)


def _front(paths: Sequence[str]) -> str:
    about = "What this project has learnt" + (f" about {joined(paths)}" if paths else "")
    globs = ",".join(plain for path in paths for plain in without_leading_star(joined((path,))))
    return (
        f"---\ndescription: {bare(about)}\nglobs: {bare(globs)}\n"
        f"alwaysApply: {'false' if paths else 'true'}\n---\n"
    )


def bare(value: str) -> str:
    """Return a text without quotes where YAML reads it unchanged, else in quotes.

    Cursor documents globs as one bare line and is said to take quotes for a part of them.
    """
    import yaml

    try:
        same = yaml.safe_load(f"key: {value}\n") == {"key": value} and not value.startswith('"')
    except (yaml.YAMLError, ValueError):
        same = False
    return value if same or not value else text(value)


def without_leading_star(glob: str) -> tuple[str, ...]:
    """Return globs that match the same and begin with no `*`: bare, YAML takes that for an alias.

    `*.py` is `?*.py`; `**/*.py` is that at the top, or below a folder: `?*/**/*.py`.
    """
    first, slash, rest = glob.partition("/")
    if first == "**":
        below = without_leading_star(rest) if rest else ("?*",)
        return (f"?*/**/{rest}" if rest else "?*/**", *below)
    if not first.startswith("*"):
        return (glob,)
    after = first.lstrip("*")
    exact = (f"{after}{slash}{rest}",) if after and not after.startswith((".", "*")) else ()
    return (f"?*{after}{slash}{rest}", *exact)


EXPORTER = Exporter(
    name="cursor",
    file=f"{FOLDER}/calmkb.mdc",
    reader=Reader(files=(".cursorrules", "AGENTS.md"), rules=f"{FOLDER}/*.mdc"),
    render=render,
    dialect=Dialect(scoped=True),
    owned=f"{FOLDER}/calmkb*.mdc",
    order=4,
)
