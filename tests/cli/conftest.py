"""The command line as a person meets it, in a real repository of their own."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from calmkb.cli.base.common import run
from calmkb.cli.root import calmkb
from tests.conftest import copied_repo


@dataclass(frozen=True)
class Said:
    """What a command printed, and its exit code."""

    code: int
    out: str
    err: str


@pytest.fixture
def project(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """Return a project's repository that is a knowledge base too; the current folder."""
    folder = copied_repo(tmp_path / "shop", tmp_path_factory, "calmkb.toml", "")
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Callable[..., Said]:
    """Return a function that runs `calmkb ARGS` in this process, for a person."""

    def call(*args: str) -> Said:
        capsys.readouterr()
        code = run(calmkb, args, person=True)
        captured = capsys.readouterr()
        return Said(code, captured.out, captured.err)

    return call
