"""A pipe or a device in the place of a file: no command waits for it."""

import os
import sys

import pytest

from tests.conftest import git
from tests.warm import without_terminal

READERS = {
    "home/.calm/keeping.json": "agents keep --status",
    "home/.calm/vectors-failed.json": "agents",
    "home/.calm/signals.jsonl": "signal query",
    "home/.claude/settings.json": "agents",
    "work/calmkb.toml": "statusline",
    "work/CLAUDE.md": "agents",
}


@pytest.mark.skipif(sys.platform == "win32", reason="its folders hold no pipes")
@pytest.mark.parametrize("place", READERS)
@pytest.mark.parametrize("kind", ["pipe", "device"])
def test_no_command_waits_for(place, kind, tmp_path):
    work, home = tmp_path / "work", tmp_path / "home"
    work.mkdir()
    git(work, "init", "-q")
    odd = tmp_path / place
    odd.parent.mkdir(parents=True, exist_ok=True)
    if kind == "pipe":
        os.mkfifo(odd)
    else:
        odd.symlink_to("/dev/zero")
    env = {"HOME": str(home), "PATH": os.environ["PATH"]}
    done = without_terminal(*READERS[place].split(), cwd=work, env=env)
    assert done.returncode in (0, 1)
    assert "this is a bug" not in done.stderr
