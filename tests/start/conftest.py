"""A repository of code with work trees, a home with a history, a person at a terminal."""

import os
import sys
from pathlib import Path

import pytest

from calmkb.cli.base.common import run
from calmkb.cli.root import calmkb
from tests.cli.conftest import Said
from tests.conftest import git


@pytest.fixture
def look(capsys):
    """Return a function that runs `calmkb start ARGS` where no person is at the terminal."""

    def call(*args: str) -> Said:
        capsys.readouterr()
        code = run(calmkb, ("start", "--no-browser", *args), person=False)
        captured = capsys.readouterr()
        return Said(code, captured.out, captured.err)

    return call


@pytest.fixture
def shop(tmp_path, monkeypatch):
    """Return a repository of code, cloned from a bare host; the current folder."""
    host = tmp_path / "hosting/shop.git"
    host.parent.mkdir()
    git(tmp_path, "init", "-q", "--bare", "-b", "main", str(host))
    folder = tmp_path / "shop"
    git(tmp_path, "clone", "-q", str(host), str(folder))
    (folder / "AGENTS.md").write_text("# Shop\n\nTotals are in pennies.\n")
    (folder / "till.py").write_text("total = 0\n")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "first")
    git(folder, "push", "-q", "-u", "origin", "HEAD:main")
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def terminal():
    """Return a function that starts `calmkb ARGS` at a real terminal."""
    pexpect = pytest.importorskip("pexpect", reason="needs a POSIX terminal")

    def start(*args: str, **env: str):
        return pexpect.spawn(
            sys.executable, ["-m", "calmkb", *args], encoding="utf-8", dimensions=(60, 160),
            timeout=120, cwd=str(Path.cwd()), env={**os.environ, **env},
        )  # fmt: skip

    return start


def everything_in(*folders: Path) -> dict[str, bytes]:
    """Return each file below these folders with its content."""
    return {
        str(path): path.read_bytes()
        for folder in folders
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
