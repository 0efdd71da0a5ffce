"""Claude Code's rules: loaded with the files that they hold for."""

from collections.abc import Sequence

from calmkb.export.base import Exporter, Output
from calmkb.export.choice import Selection
from calmkb.export.safe_text import Dialect
from calmkb.export.targets.claude_md import READER
from calmkb.export.targets.rules import listed, rule_files

FOLDER = ".claude/rules"


def render(selection: Selection) -> tuple[Output, ...]:
    """Return a rule for each set of paths; without `paths:` a rule is always loaded."""
    return rule_files(selection, lambda slug: f"{FOLDER}/{slug}.md", _front, ids=True)


def _front(paths: Sequence[str]) -> str:
    return f"---\npaths: {listed(paths)}\n---\n" if paths else ""


EXPORTER = Exporter(
    name="claude-rules",
    file=f"{FOLDER}/calmkb.md",
    reader=READER,
    render=render,
    dialect=Dialect(scoped=True),
    owned=f"{FOLDER}/calmkb*.md",
    order=2,
)
