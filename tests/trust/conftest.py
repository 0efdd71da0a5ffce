"""A repository that somebody else wrote, cloned by the person under test."""

import os
from pathlib import Path

import pytest

from tests import warm
from tests.cli.conftest import cli, project  # noqa: F401 - fixtures
from tests.conftest import git


@pytest.fixture
def canary(tmp_path: Path) -> Path:
    """Return a file that nothing may make: programs of the repository would."""
    return tmp_path / "canary"


@pytest.fixture
def publish(tmp_path, monkeypatch):
    """Return a function that commits files as a stranger and clones them for the person."""

    def make(files: dict[str, str]) -> Path:
        made = tmp_path / "theirs"
        made.mkdir()
        git(made, "init", "-q", "-b", "main")
        for name, text in files.items():
            (made / name).parent.mkdir(parents=True, exist_ok=True)
            (made / name).write_text(text)
        git(made, "add", "-A")
        git(made, "-c", "user.email=mallory@evil.example", "-c", "user.name=Mallory",
            "commit", "-qm", "all")  # fmt: skip
        clone = tmp_path / "clone"
        git(tmp_path, "clone", "-q", str(made), str(clone))
        monkeypatch.chdir(clone)
        return clone

    return make


@pytest.fixture
def terminal():
    """Return a function that starts `calmkb ARGS` at a real terminal."""

    def start(*args: str, **env: str):
        env = {**os.environ, **env}
        return warm.at_terminal(*args, folder=Path.cwd(), env=env, dimensions=(60, 160))

    return start
