"""A pipe or a device in the place of a file: no command waits for it."""

import os
import subprocess
import sys

import pytest

from tests.conftest import git

PLACES = (
    "home/.calm/keeping.json", "home/.calm/vectors-failed.json", "home/.calm/signals.jsonl",
    "home/.claude/settings.json", "work/calmkb.toml", "work/CLAUDE.md",
)  # fmt: skip
COMMANDS = (["agents"], ["agents", "keep", "--status"], ["statusline"], ["signal", "query"])


@pytest.mark.parametrize("place", PLACES)
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
    for command in COMMANDS:
        done = subprocess.run(
            [sys.executable, "-m", "calmkb", *command], cwd=work, env=env, timeout=60,
            stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode in (0, 1)
        assert "this is a bug" not in done.stderr
