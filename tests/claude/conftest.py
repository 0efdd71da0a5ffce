"""The real Claude Code client, against a model on loopback that says what the test tells it to.

CALMKB_CLAUDE names a folder with the client's harness: `env.sh`, which gives the command `cc`, and
`mock_api.py`. Without it there is nothing here to run: `make test-claude CALMKB_CLAUDE=DIR`.
"""

import json
import os
import shlex
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import git

HARNESS = os.environ.get("CALMKB_CLAUDE", "")
if not HARNESS:
    collect_ignore_glob = ["test_*.py"]
PROGRAMS = Path(sys.executable).parent
# Our model answers in no time, and a client that leaves kills the asynchronous hooks that still
# run: work goes on after the failure, as it does with a model that thinks.
FAILS = (
    {"tool": "Bash", "input": {"command": "echo no such till >&2; exit 3"}},
    *({"tool": "Bash", "input": {"command": f"echo fixing {n}"}} for n in range(4)),
)


@dataclass(frozen=True)
class Claude:
    """The client with a home, a project and a model of its own."""

    home: Path
    project: Path
    requests: Path
    port: int

    def run(self, *args: str) -> str:
        """Run the client and return what it prints."""
        env = {
            **os.environ,
            "PORT": str(self.port),
            "CCHOME": str(self.home),
            # The first request waits for the MCP server: on a busy machine it would go without.
            "CCENV": f"PATH={PROGRAMS}:/usr/local/bin:/usr/bin:/bin MCP_CONNECTION_NONBLOCKING=0",
        }
        script = f'. {shlex.quote(HARNESS)}/env.sh; cc "$@"'
        done = subprocess.run(
            ["bash", "-c", script, "cc", *args],
            cwd=self.project,
            env=env,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def say(self, prompt: str, *steps: dict[str, Any], args: tuple[str, ...] = ()) -> str:
        """Say `prompt` in a new session (or as `args` tell); the model does `steps`."""
        script = f" MOCK:{json.dumps(steps)}" if steps else ""
        line = self.run("-p", prompt + script, "--output-format", "json", *args)
        session: str = json.loads(line)["session_id"]
        return session

    def heard(self) -> str:
        """Return all text of the newest request that the model got."""
        newest = max(self.requests.glob("*-main.json"), key=lambda path: path.name)
        body = json.loads(newest.read_text(encoding="utf-8"))["body"]
        return "\n".join(_texts([body.get("system"), body["messages"], body.get("tools")]))

    def calmkb(self, *args: str) -> str:
        """Run calmkb as the person of this home, at their terminal."""
        ours, terminal = os.openpty()
        done = subprocess.run(
            [PROGRAMS / "calmkb", *args],
            cwd=self.project,
            env={**os.environ, "PATH": f"{PROGRAMS}{os.pathsep}{os.environ['PATH']}"},
            stdin=terminal,
            stderr=terminal,
            stdout=subprocess.PIPE,
            text=True,
            check=False,
        )
        os.close(terminal)
        said = os.read(ours, 10_000).decode() if done.returncode else ""
        os.close(ours)
        assert done.returncode == 0, said
        return done.stdout


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from _texts(list(value.values()))
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)


@pytest.fixture
def claude(home: Path, tmp_path: Path) -> Iterator[Claude]:
    """Return a client whose model listens on a port of its own."""
    project, requests = tmp_path / "shop", tmp_path / "requests"
    project.mkdir()
    requests.mkdir()
    git(project, "init", "-q")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    command = [sys.executable, f"{HARNESS}/mock_api.py", "--port", str(port), "--log", requests]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as mock:
        assert mock.stdout and mock.stdout.readline().startswith("mock on")
        yield Claude(home, project, requests, port)
        mock.terminate()
