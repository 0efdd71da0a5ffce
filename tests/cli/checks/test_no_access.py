"""A home that cannot be used: a clear message and exit 1, as a user without root's powers."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOTS_POWERS = "-dac_override,-dac_read_search"
COMMANDS = [
    ("private", "write", "--reflections", "words"),
    ("wrapup", "--summary", "words"),
    ("memory", "list"),
    ("doctor",),
]


def plainly(home: Path, cwd: Path, *args: str) -> "subprocess.CompletedProcess[str]":
    """Run calmkb without root's power to read and write everything."""
    command = [sys.executable, "-m", "calmkb", *args]
    if os.geteuid() == 0:
        if not shutil.which("setpriv"):
            pytest.skip("root reads everything, and there is no setpriv to take that away")
        command = ["setpriv", "--bounding-set", ROOTS_POWERS, "--inh-caps", ROOTS_POWERS, *command]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=120,
                          check=False, env=os.environ | {"HOME": str(home)})  # fmt: skip


pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows keeps access in other ways")


@pytest.mark.parametrize("mode", [0o000, 0o444])
@pytest.mark.parametrize("command", COMMANDS)
def test_a_home_that_may_not_be_entered_is_named(tmp_path, home, command, mode):
    closed = tmp_path / "closed"
    closed.mkdir()
    closed.chmod(mode)
    try:
        said = plainly(closed, home, *command)
    finally:
        closed.chmod(0o700)
    assert (said.returncode, "Traceback" in said.stderr) == (1, False), said.stderr
    assert str(closed) in said.stderr
    assert "ermission denied" in said.stderr


def test_a_thought_that_the_projects_folder_refuses_goes_into_the_users_journal(tmp_path, home):
    folder = tmp_path / ".private-journal"
    folder.mkdir(mode=0o700)
    folder.chmod(0)
    try:
        said = plainly(home, tmp_path, "private", "write", "--project-notes", "words")
    finally:
        folder.chmod(0o700)
    assert said.returncode == 0, said.stderr
    assert f"cannot write {folder}" in said.stderr
    assert Path(said.stdout.strip()).is_relative_to(home / ".private-journal")
