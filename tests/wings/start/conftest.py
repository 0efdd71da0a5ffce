"""A repository of code with work trees, a home with a history, a person at a terminal."""

from pathlib import Path

import pytest

from calmkb.cli.base.common import run
from calmkb.cli.root import calmkb
from tests.cli.conftest import Said, cli  # noqa: F401 - fixture
from tests.conftest import git
from tests.trust.conftest import terminal  # noqa: F401 - fixture


@pytest.fixture
def look(capsys):
    """Return a function that runs `calmkb start ARGS` where no person is at the terminal."""

    def call(*args: str) -> Said:
        capsys.readouterr()
        code = run(calmkb, ("start", *args), person=False)
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


def everything_in(*folders: Path) -> dict[str, bytes]:
    """Return each file below these folders with its content."""
    return {
        str(path): path.read_bytes()
        for folder in folders
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
