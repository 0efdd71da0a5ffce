"""Nothing that calmkb prints, or that its documentation says, names a command by an older name."""

import re
import subprocess
from pathlib import Path

from calmkb.cli.root import RENAMED

ROOT = Path(__file__).parents[2]
PLACES = ("calmkb", "templates", "plugin", "docs", "deploy", "README.md", "CONTRIBUTING.md")
OLDER = [
    *(name for name in RENAMED if name != "runs"), "runs (list|cancel|export|usage)",
    "session (show|of|pending|resume|reflect)", "memory (show|enforce)", "improvements show",
    "next list",
]  # fmt: skip
PROSE = re.compile(r"(the|no) calmkb (plugin|hooks)")
COMMAND = re.compile(
    rf"(?:[`$>&(\"']|[:;] |run |bin/|^ *)\s*calmkb (--kb \S+ )?({'|'.join(OLDER)})(?![\w'-])"
)


def texts():
    listed = subprocess.check_output(["git", "ls-files", *PLACES], cwd=ROOT, text=True)
    for name in listed.split():
        if (ROOT / name).suffix not in (".png", ".svg", ".json", ".woff2"):
            yield name, (ROOT / name).read_text(encoding="utf-8", errors="replace")


def older(text: str) -> list[str]:
    return [line for line in text.splitlines() if COMMAND.search(PROSE.sub("", line))]


def test_an_older_name_is_named_nowhere():
    assert {name: found for name, text in texts() if (found := older(text))} == {}


def test_an_older_name_would_be_found():
    for line in ("fix: calmkb hooks on", "`calmkb --kb X digest`", "$ calmkb runs list"):
        assert older(line)
    assert not older("calmkb runs inside hooks, and no calmkb hooks are there")
