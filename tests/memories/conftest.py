"""Memories in a real repository, added and judged as a person does."""

import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Said, cli, project

__all__ = ["Said", "add", "cli", "project"]

Add = Callable[..., str]


@pytest.fixture(autouse=True)
def inside(project: Path) -> None:
    """Keep every test here inside its own project: one that forgets would write to ours."""


@pytest.fixture
def add(cli: Callable[..., Said]) -> Add:
    """Return a function that adds a memory and returns its id."""

    def call(text: str, *options: str, category: str = "workflow") -> str:
        said = cli("memory", "add", text, "--category", category, *options)
        assert said.code == 0, said.err
        return said.out.strip().rpartition(" ")[2]

    return call


@pytest.fixture
def editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Return a function that makes $EDITOR a shell script of one line about "$1"."""

    def use(line: str) -> None:
        script = tmp_path / "editor.sh"
        # A file written within the same second counts as unsaved for the one who opened it.
        script.write_text(f"#!/bin/sh\n{line}\ntouch -d '1 hour' \"$1\" 2>/dev/null\nexit 0\n")
        script.chmod(0o755)
        monkeypatch.setenv("EDITOR", shlex.quote(str(script)))
        monkeypatch.delenv("VISUAL", raising=False)

    return use
