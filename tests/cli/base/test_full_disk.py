"""A full disk, on each way on which commands write: a sentence, no half work, then it works."""

import shlex
from pathlib import Path

import pytest

from tests.conftest import git
from tests.store.commits.test_disk import disk as disk
from tests.store.commits.test_disk import fill_but
from tests.warm import without_terminal

pytestmark = pytest.mark.slow
COMMANDS = """
wrapup --summary Done.
memory add Tests --category fact
project rename shop store
export --file out.md
agents hooks on
agents mcp install
agents recall --on
agents keep --exclude /else
signal append '{"type": "correction", "content": "Never on a Friday."}'
private write --reflections Hm.
run list
project forget store --yes
""".strip().split("\n")
"""Records, a digest, clients' settings, choices, signals, thoughts, a database, a project gone."""


def test_no_command_leaves_half_of_anything_on_a_full_disk(disk: Path, monkeypatch):
    git(disk, "rm", "-q", "journal/first.md")  # which is no record
    git(disk, "commit", "-qm", "remove it")
    (disk / "calmkb.toml").write_text('project = "shop"\n')
    (disk / ".git/home/.claude").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(disk / ".git/home"))
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    without_terminal("wrapup", "--summary", "Begun.", cwd=disk, person=True)
    for command in COMMANDS:
        before = git(disk, "status", "--porcelain"), git(disk, "rev-parse", "HEAD")
        ballast = fill_but(disk, 0)
        refused = without_terminal(*shlex.split(command), cwd=disk, person=True)
        ballast.unlink()
        assert refused.returncode == 1, (command, refused.stdout, refused.stderr)
        assert any(words in refused.stderr for words in ("o space left", "disk is full")), command
        assert (git(disk, "status", "--porcelain"), git(disk, "rev-parse", "HEAD")) == before
        done = without_terminal(*shlex.split(command), cwd=disk, person=True)
        assert done.returncode == 0, (command, done.stdout, done.stderr)
    assert without_terminal("check", cwd=disk).returncode == 0
