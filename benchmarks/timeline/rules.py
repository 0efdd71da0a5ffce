"""Rules that people wrote: from the git history of their instruction files."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

from timeline.folder import Rule

FILES = ("CLAUDE.md", "AGENTS.md", ".claude/rules", ".cursor/rules", "GEMINI.md",
         ".github/copilot-instructions.md")  # fmt: skip
_ITEM = re.compile(r"\+\s*(?:[-*]|\d+\.)\s+(?P<text>\S.*)")
_IMPERATIVE = re.compile(
    r"(?i)\b(?:always|never|do not|don't|must|should|use|run|prefer|avoid|only|before|instead)\b"
)
_SHORTEST = 25


def rules_of(repository: Path) -> tuple[Rule, ...]:
    """Return the list items that read like rules, each on the day it was first added.

    A rough reading, for repositories where nobody has listed them by hand.
    """
    found: dict[str, Rule] = {}
    for day, line in _added(repository):
        item = _ITEM.match(line)
        text = item["text"].strip() if item else ""
        if len(text) >= _SHORTEST and _IMPERATIVE.search(text):
            found.setdefault(text, Rule(text, day))
    return tuple(found.values())


def _added(repository: Path) -> Iterator[tuple[str, str]]:
    log = subprocess.run(
        ["git", "log", "--reverse", "-p", "--no-ext-diff", "--no-textconv", "--no-color",
         "--format=%x00%cs", "--", *FILES],
        cwd=repository, capture_output=True, check=True,
    ).stdout.decode("utf-8", "replace")  # fmt: skip
    day = ""
    for line in log.split("\n"):
        if line.startswith("\0"):
            day = line[1:]
        elif line.startswith("+") and not line.startswith("+++"):
            yield day, line
