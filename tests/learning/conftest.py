"""A project with signals captured in it, and the review as a person meets it."""

import json
import subprocess
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from calmkb.cli.base.common import run
from calmkb.cli.root import calmkb
from calmkb.model import Signal
from calmkb.store.signals.store import SignalStore
from tests import warm
from tests.cli.conftest import Said
from tests.conftest import git


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a repository, the current folder."""
    folder = tmp_path / "shop"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def store(home: Path) -> SignalStore:
    """Return this machine's signals."""
    return SignalStore(home / ".calm")


@pytest.fixture
def capture(store: SignalStore) -> Callable[..., Signal]:
    """Return a function that keeps a signal, each a minute after the one before."""
    begun = datetime.now(UTC).replace(microsecond=0) - timedelta(days=2)
    minutes = iter(range(10_000))

    def call(content: str, type: str = "correction", session: str = "s1", **more: Any) -> Signal:  # noqa: A002
        at = begun + timedelta(minutes=next(minutes))
        return store.append(
            {"type": type, "session_id": session, "confidence": 2, "content": content,
             "source": {"hook": "PreCompact", "turn": 7}, **more},
            now=at,
        )  # fmt: skip

    return call


@pytest.fixture
def signals(capsys: pytest.CaptureFixture[str]) -> Callable[..., Said]:
    """Return a function that runs `calmkb reflect --signals ARGS` in this process."""

    def call(*args: str) -> Said:
        capsys.readouterr()
        code = run(calmkb, ["reflect", "--signals", *args])
        captured = capsys.readouterr()
        return Said(code, captured.out, captured.err)

    return call


@pytest.fixture
def items(signals: Callable[..., Said]) -> Callable[[], list[dict[str, Any]]]:
    """Return a function that lists what waits."""
    return lambda: json.loads(signals("--json").out)["items"]


@pytest.fixture
def apply(signals: Callable[..., Said], tmp_path: Path) -> Callable[..., Said]:
    """Return a function that applies decisions."""

    def call(*rows: dict[str, Any]) -> Said:
        path = tmp_path / "decisions.json"
        path.write_text(json.dumps({"items": rows}))
        return signals("--apply", str(path))

    return call


@pytest.fixture
def cli_memory(project: Path) -> Callable[[str], Said | None]:
    """Return a function that keeps an approved memory in the project's knowledge base."""
    from calmkb.kb.base.environment import process_environment
    from calmkb.kb.base.knowledge_base import open_kb
    from calmkb.kb.memories.agent_proposals import store_memory

    (project / "calmkb.toml").write_text("")
    return lambda text: (
        store_memory(open_kb(process_environment()), text, "fact", approved_by="ada@example.org")
        and None
    )


@pytest.fixture
def terminal() -> Iterator[Callable[..., Any]]:
    """Return a function that begins a review in a folder, at a real terminal."""
    children = []

    def call(folder: Path, **env: str) -> Any:
        import os

        child = warm.at_terminal("reflect", "--signals", folder=folder, env={**os.environ, **env})
        children.append(child)
        return child

    yield call
    for child in children:
        child.close(force=True)


def without_terminal(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the review where nobody can answer."""
    return warm.without_terminal("reflect", "--signals", cwd=folder)
