"""git's index lock is held while the index is put in place, and while nothing else is done."""

import os
import shlex
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from calmkb.errors import StoreError
from calmkb.store.commits.changes import PathChange
from calmkb.store.commits.intent import Intent, write_intent
from calmkb.store.commits.landed import intent_path
from calmkb.store.git.repository import find_repository
from calmkb.system.programs import is_running
from tests.conftest import git
from tests.store.writing import write

# Notes each git that begins while the lock is there, then is git.
NOTING = """#!/bin/sh
[ -e {lock} ] && echo "$@" >> {notes}
exec {git} "$@"
"""
# Stages a file of the person's when calmkb has made its index, once.
STAGING = """#!/bin/sh
{git} "$@"
code=$?
case "$*" in *--index-info*) [ -e staged ] || {{ touch staged; {git} add staged; }};; esac
exit $code
"""

ENDED = 2**22 + 1
"""The number of no process: the most that Linux gives is less."""


def git_that(folder: Path, monkeypatch, text: str, **names: object) -> None:
    """Put a program called git first on PATH that does something before it is git."""
    program = folder / "bin" / "git"
    program.parent.mkdir()
    real = shlex.quote(shutil.which("git") or "git")
    program.write_text(text.format(git=real, **names))
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")


def test_no_git_starts_while_the_lock_is_held(repo, tmp_path, monkeypatch):
    write(repo, "journal/first.md")
    notes = tmp_path / "notes"
    git_that(tmp_path, monkeypatch, NOTING, lock=repo / ".git/index.lock", notes=notes)
    write(repo, "journal/second.md")
    assert (repo / "journal/second.md").exists()
    assert git(repo, "status", "--porcelain") == ""
    assert not notes.exists(), notes.read_text()


def test_the_disk_is_not_waited_for_while_the_lock_is_held(repo, monkeypatch):
    write(repo, "journal/first.md")
    lock, real, held = repo / ".git/index.lock", os.fsync, []

    def fsync(handle: int) -> None:
        held.append(lock.exists())
        real(handle)

    monkeypatch.setattr(os, "fsync", fsync)
    write(repo, "journal/second.md")
    assert held
    assert not any(held)


def test_a_lock_of_another_git_is_named_where_a_killed_write_left_paths(repo):
    write(repo, "journal/first.md")
    (repo / "journal/first.md").unlink()
    here = find_repository(repo)
    change = PathChange("journal/first.md", "", here.git.ask("ls-tree", "HEAD:journal").split()[2])
    entry = replace(change, after=f"100644 {change.after}")
    git(repo, "rm", "-q", "--cached", "journal/first.md")
    write_intent(intent_path(here), Intent("main", here.tip("main"), unfinished=(entry,)))
    (repo / ".git/index.lock").touch()
    with pytest.raises(StoreError, match=r"index\.lock.*nothing was written"):
        write(repo, "journal/second.md")
    assert git(repo, "ls-tree", "--name-only", "HEAD:journal").split() == ["first.md"]


def test_an_index_that_a_person_wrote_meanwhile_is_made_again_before_the_lock(
    repo, tmp_path, monkeypatch
):
    write(repo, "journal/first.md")
    monkeypatch.chdir(repo)
    git_that(tmp_path, monkeypatch, STAGING)
    write(repo, "journal/second.md")
    assert git(repo, "status", "--porcelain") == "A  staged\n"
    assert git(repo, "ls-tree", "--name-only", "HEAD:journal").split() == ["first.md", "second.md"]


@pytest.mark.parametrize("named", ["", "our commit"])
def test_the_ref_locks_of_a_killed_git_of_ours_go_with_the_next_write(repo, named):
    write(repo, "journal/first.md")
    here, ours = find_repository(repo), "1" * 40
    write_intent(
        intent_path(here), Intent("refs/heads/main", here.tip("main"), {"t": ours}, mover=ENDED)
    )
    (repo / ".git/refs/heads/main.lock").write_text(f"{ours}\n" if named else "")
    (repo / ".git/HEAD.lock").touch()
    write(repo, "journal/second.md")
    assert git(repo, "status", "--porcelain") == ""
    assert not list((repo / ".git").glob("*.lock"))
    assert not list((repo / ".git/refs").rglob("*.lock"))


@pytest.mark.parametrize("theirs", [True, False])
def test_a_ref_lock_of_another_git_is_named_and_stays(repo, theirs):
    write(repo, "journal/first.md")
    here, lock = find_repository(repo), repo / ".git/refs/heads/main.lock"
    if theirs:
        write_intent(
            intent_path(here),
            Intent("refs/heads/main", here.tip("main"), {"t": "1" * 40}, mover=ENDED),
        )
    lock.write_text("2" * 40 if theirs else "")
    with pytest.raises(StoreError, match=r"main\.lock.*nothing was written"):
        write(repo, "journal/second.md")
    assert lock.exists()


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="the system does not tell")
def test_a_process_that_ended_does_not_run_though_its_parent_has_not_looked():
    with subprocess.Popen([sys.executable, "-c", ""]) as child:
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        assert not is_running(child.pid)
    assert is_running(os.getpid())
