"""git's index lock is held while the index is put in place, and while nothing else is done."""

import os
import shlex
import shutil
from pathlib import Path

from tests.conftest import git
from tests.store.writing import write

# Notes each git that begins while the lock is there, then is git.
NOTING = """#!/bin/sh
[ -e {lock} ] && echo "$@" >> {notes}
exec {git} "$@"
"""


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
