"""The real Claude Code client, against a model on loopback that says what the test tells it to.

`make test-claude` installs the client, proprietary and for these tests alone, into a folder of its
own and names that in CALMKB_CLAUDE. Without it these tests are not collected.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.claude.model import Model, scripted
from tests.clients.model import texts_in
from tests.conftest import git

if "CALMKB_CLAUDE" not in os.environ:  # a suite of its own, not a part of every run
    collect_ignore_glob = ["test_*.py"]
CLIENT = Path(os.environ.get("CALMKB_CLAUDE", ""), "node_modules/.bin/claude").absolute()
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
    model: Model
    programs: Path = PROGRAMS

    @property
    def env(self) -> dict[str, str]:
        """The client's whole environment: it talks to nobody but the model."""
        return {
            "PATH": f"{self.programs}:/usr/local/bin:/usr/bin:/bin",
            "HOME": str(self.home),
            "TERM": "dumb",
            "LANG": "C.UTF-8",
            "ANTHROPIC_API_KEY": "sk-test-dummy",
            "ANTHROPIC_BASE_URL": self.model.address,
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
            "NO_PROXY": "*",
            # Not as a program: its sessions leave no signals, and are asked nothing. The client
            # calls them sdk-cli with -p, unless a name that it does not know stands here.
            "CLAUDE_CODE_ENTRYPOINT": "terminal",
            # The first request waits for the MCP server: on a busy machine it would go without.
            "MCP_CONNECTION_NONBLOCKING": "0",
            "MCP_TIMEOUT": "60000",
        }

    def run(self, *args: str) -> str:
        """Run the client and return what it prints."""
        done = subprocess.run(
            [CLIENT, *args],
            cwd=self.project,
            env=self.env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def say(self, prompt: str, *steps: dict[str, Any], args: tuple[str, ...] = ()) -> str:
        """Say `prompt` in a new session (or as `args` tell); the model does `steps`."""
        session: str = self.ask(scripted(prompt, *steps), *args)["session_id"]
        return session

    def ask(self, prompt: str, *args: str) -> dict[str, Any]:
        """Return all that the client says of a session without a terminal."""
        found: dict[str, Any] = json.loads(self.run("-p", prompt, "--output-format", "json", *args))
        return found

    def heard(self) -> str:
        """Return all text of the newest request that the model got."""
        body = self.model.requests[-1]
        return "\n".join(texts_in([body.get("system"), body["messages"], body.get("tools")]))

    def calmkb(self, *args: str, typed: str = "") -> str:
        """Run calmkb as the person of this home, at their terminal, where they have `typed`."""
        ours, terminal = os.openpty()
        os.write(ours, typed.encode())
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


@pytest.fixture
def claude(home: Path, tmp_path: Path) -> Iterator[Claude]:
    """Return a client with a model of its own."""
    if not CLIENT.exists():
        pytest.skip("needs the real client: make test-claude")
    project = tmp_path / "shop"
    project.mkdir()
    git(project, "init", "-q")
    with Model() as model:
        yield Claude(home, project, model)
