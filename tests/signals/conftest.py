"""A store, a world around it and a session's file."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from calmkb.cli.base.common import run
from calmkb.cli.root import calmkb
from calmkb.kb.base.environment import Environment
from calmkb.store.signals.store import SignalStore
from tests.cli.conftest import Said
from tests.signals.samples import NOW, SESSION, session_lines


@pytest.fixture
def transcript(tmp_path: Path) -> Path:
    """Return a session's file as the client wrote it."""
    path = tmp_path / f"{SESSION}.jsonl"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in session_lines()))
    return path


@pytest.fixture
def store(tmp_path: Path) -> SignalStore:
    """Return an empty store in a folder that does not exist yet."""
    return SignalStore(tmp_path / "state")


@pytest.fixture
def environment(home: Path, tmp_path: Path) -> Environment:
    """Return a world at noon, whose state is the store's folder."""
    cwd = tmp_path / "cwd"
    cwd.mkdir()
    state = str(tmp_path / "state")
    return Environment(home=home, cwd=cwd, env={"REFLECTIONS_DIR": state}, now=lambda: NOW)


@pytest.fixture
def cli(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Callable[..., Said]:
    """Return a function that runs `calmkb ARGS` in this process, on the store's folder."""
    monkeypatch.setenv("REFLECTIONS_DIR", str(tmp_path / "state"))

    def call(*args: str) -> Said:
        capsys.readouterr()
        code = run(calmkb, args)
        captured = capsys.readouterr()
        return Said(code, captured.out, captured.err)

    return call
