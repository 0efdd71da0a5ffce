"""A project that keeps its improvements in a file, and the records of them."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Said, cli, project
from tests.conftest import git
from tests.learning.conftest import capture, store

__all__ = ["board", "capture", "cli", "file", "kept", "project", "records", "store", "subjects"]


@pytest.fixture
def file(project: Path) -> Path:
    """Return where the project's improvements stand."""
    return project / ".claude" / "improvements.md"


@pytest.fixture
def records(cli: Callable[..., Said]) -> Callable[[], dict[str, dict[str, Any]]]:
    """Return a function that gives all records by their details."""

    def call() -> dict[str, dict[str, Any]]:
        rows = json.loads(cli("improvements", "list", "--json").out)["improvements"]
        return {row["details"]: row for row in rows}

    return call


@pytest.fixture
def subjects(project: Path) -> Callable[[], list[str]]:
    """Return a function that gives what commits say of improvements, newest first."""
    return lambda: [
        line for line in git(project, "log", "--format=%s").split("\n") if line[:7] == "improve"
    ]


@pytest.fixture
def kept(
    project: Path, cli: Callable[..., Said], capture: Callable[..., Any], tmp_path: Path
) -> Callable[..., None]:
    """Return a function that sends learnings to the improvements, as a review does."""

    def call(*texts: str) -> None:
        for text in texts:
            capture(text, "project_friction")
        rows = json.loads(cli("reflect", "--signals", "--json").out)["items"]
        for row in rows:
            row["target"] = "improvements"
        path = tmp_path / "decided.json"
        path.write_text(json.dumps({"items": rows}))
        said = cli("reflect", "--signals", "--apply", str(path))
        assert said.code == 0, said.err

    return call


@pytest.fixture
def board(file: Path) -> Callable[[], dict[str, list[str]]]:
    """Return a function that gives the titles under each heading of the file."""

    def call() -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        section = ""
        for line in file.read_text(encoding="utf-8").split("\n"):
            if line.startswith("## "):
                section = line[3:]
                found[section] = []
            elif line.startswith("### "):
                found[section].append(line.partition("] ")[2])
        return found

    return call
