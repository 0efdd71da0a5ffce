"""Clients' sessions in a home of their own, and the archive that is made of them."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.capture.support import agent, call, result, text, user
from tests.cli.conftest import Said, cli, project
from tests.warm import python_in

__all__ = ["Said", "cli", "project"]

Session = Callable[..., Path]


@pytest.fixture
def forked_background(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fork what is begun in the background, for a test of what it does and not of its start."""
    monkeypatch.setattr(sys, "executable", python_in(tmp_path))


@pytest.fixture
def session(home: Path, project: Path) -> Session:
    """Return a function that writes a session of the client about the project."""

    def write(name: str, *objects: dict[str, Any], folder: Path = project) -> Path:
        path = home / ".claude" / "projects" / "-shop" / f"{name}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8") as file:
            for number, one in enumerate(objects):
                row = {"cwd": str(folder), "sessionId": name, "entrypoint": "cli",
                       "timestamp": f"2026-03-01T10:{number:02}:00Z", **one}  # fmt: skip
                file.write(json.dumps(row) + "\n")
        return path

    return write


SILENT = (
    user("Why does the command print its usage after an error?"),
    agent(text("Because cobra prints it unless the error is wrapped in a SilentError.")),
    agent(call("t1", "Bash", command="grep -rn SilentError cmd")),
    result("t1", "cmd/root.go:12: return NewSilentError(err)"),
    agent(call("t2", "Edit", file_path="cmd/root.go", old_string="return err",
               new_string="return NewSilentError(err)")),
    result("t2", "The file cmd/root.go has been updated"),
    user("Thanks, and commit it."),
)  # fmt: skip
