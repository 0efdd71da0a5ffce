"""A sync whose git is killed while it holds locks: the next command of ours removes them."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from calmkb.system.journal_place import JOURNAL_BRANCH
from tests.conftest import git
from tests.soak.kills import wait_for_orphans
from tests.store.commits.test_index_lock import git_that
from tests.store.sharing.test_sync import machines, share, write  # noqa: F401 - a fixture
from tests.store.writing import problems

# Is git, with hooks where it is asked for one word.
HOOKED = """#!/bin/sh
case "$*" in *{asked}*) ;; *) exec {git} "$@";; esac
for word; do
  shift
  [ "$word" = {asked} ] && set -- "$@" -c core.hooksPath={hooks}
  set -- "$@" "$word"
done
exec {git} "$@"
"""
pytestmark = pytest.mark.skipif(os.name == "nt", reason="a git that kills itself needs SIGKILL")


@pytest.fixture
def killed(machines, tmp_path, monkeypatch):  # noqa: F811
    """Return a clone, and a function that runs a command in it and kills it as git locks a ref."""
    one, two, _ = machines
    write(two, "sessions/two.md")
    share(two)
    write(one, "sessions/one.md")
    (one / "calmkb.toml").write_text("")
    monkeypatch.chdir(one)

    def kill(asked: str, *words: str) -> None:
        hook = tmp_path / "hooks" / "reference-transaction"
        hook.parent.mkdir()
        hook.write_text('#!/bin/sh\n[ "$1" = prepared ] && kill -KILL 0\nexit 0\n')
        hook.chmod(0o755)
        with monkeypatch.context() as patch:
            git_that(tmp_path, patch, HOOKED, hooks=hook.parent, asked=asked)
            command = [sys.executable, "-m", "calmkb", *(words or ("sync",))]
            with subprocess.Popen(command, start_new_session=True) as begun:
                assert begun.wait() == -signal.SIGKILL
        wait_for_orphans(begun.pid)
        assert held(one)

    return one, kill


def held(folder: Path) -> list[str]:
    """Return the names of git's locks."""
    found = sorted((folder / ".git").rglob("*.lock"))
    return [path.name for path in found if path.parent.name != "calmkb"]


@pytest.mark.parametrize("asked", ["fetch", "push", "update-ref"])
def test_the_next_sync_goes_through_and_leaves_no_lock(killed, asked):
    one, kill = killed
    kill(asked)
    subprocess.run([sys.executable, "-m", "calmkb", "sync"], check=True)
    assert held(one) == []
    assert git(one, "ls-tree", "--name-only", "origin/main:journal/sessions").split() == [
        "one.md", "two.md"
    ]  # fmt: skip


@pytest.mark.parametrize("asked", ["fetch", "update-ref"])
def test_a_reading_command_removes_the_locks_too(killed, asked):
    one, kill = killed
    kill(asked)
    problems(one)
    assert held(one) == []


def test_the_locks_of_a_git_that_may_still_run_stay(killed):
    one, kill = killed
    kill("fetch")
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(["git", "cat-file", "--batch-check"], cwd=one, **pipes) as alive:
        alive.stdin.write(b"HEAD\n")
        alive.stdin.flush()
        assert alive.stdout.readline()
        problems(one)
        assert held(one)
        alive.communicate()
    problems(one)
    assert held(one) == []


def test_an_older_lock_of_a_persons_git_stays(killed):
    one, kill = killed
    theirs = one / ".git/refs/heads/other.lock"
    theirs.touch()
    os.utime(theirs, (1, 1))
    kill("fetch")
    problems(one)
    assert held(one) == ["other.lock"]


def test_an_init_that_is_begun_again_finds_the_journal_of_the_remote(killed):
    one, kill = killed
    two = one.parent / "two"
    (two / "calmkb.toml").write_text("")
    git(two, "add", "calmkb.toml")
    git(two, "commit", "-qm", "Begin the journal")
    git(two, "push", "-q", "origin", f"HEAD:{JOURNAL_BRANCH}")
    (one / "calmkb.toml").unlink()
    init = ("init", "--place", "branch")
    kill("fetch", *init)
    subprocess.run([sys.executable, "-m", "calmkb", *init], check=True)
    assert held(one) == []
    assert git(one, "rev-parse", JOURNAL_BRANCH) == git(two, "rev-parse", "HEAD")
