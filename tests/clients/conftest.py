"""The real Codex and Gemini CLI at a terminal, against a model on loopback that a test scripts.

`make test-clients` installs them from npm into a folder of its own and names that in
CALMKB_CLIENTS. Without it these tests are not collected.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import pexpect
import pytest

from tests.clients.model import Json, Model
from tests.conftest import git

if "CALMKB_CLIENTS" not in os.environ:  # a suite of its own, not a part of every run
    collect_ignore_glob = ["test_*.py"]
PROGRAMS = Path(os.environ.get("CALMKB_CLIENTS", ""), "node_modules/.bin").absolute()
CALMKB = Path(sys.executable).with_name("calmkb")


@dataclass
class Client:
    """A client with a home, a project and a model of its own."""

    home: Path
    project: Path
    model: Model
    started: list[pexpect.spawn] = field(default_factory=list)

    name: ClassVar[str]

    @property
    def env(self) -> dict[str, str]:
        """The client's whole environment: it talks to nobody but the model."""
        path = "/usr/local/bin:/usr/bin:/bin"
        return {"PATH": f"{CALMKB.parent}:{path}", "HOME": str(self.home), "LANG": "C.UTF-8",
                "TERM": "xterm-256color", "SHELL": "/bin/bash", "NO_PROXY": "*"}  # fmt: skip

    def calmkb(self, *args: str) -> str:
        """Run calmkb as the person of this home, at their terminal."""
        ours, terminal = os.openpty()
        done = subprocess.run(
            [CALMKB, *args], cwd=self.project, stdin=terminal, stderr=terminal, check=False,
            stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        os.close(terminal)
        assert done.returncode == 0, os.read(ours, 10_000).decode()
        os.close(ours)
        return done.stdout

    def prepare(self) -> None:
        raise NotImplementedError

    def at_terminal(self) -> pexpect.spawn:
        raise NotImplementedError

    def spawn(self, *args: str, **env: str) -> pexpect.spawn:
        child = pexpect.spawn(
            str(PROGRAMS / self.name), list(args), cwd=self.project, env=self.env | env,
            dimensions=(50, 150), encoding="utf-8", timeout=60,
        )  # fmt: skip
        self.started.append(child)
        return child

    def says(self, child: pexpect.spawn, words: str, *steps: Json) -> None:
        """Type `words`, and wait for the last of the model's steps, which is a text."""
        self.model.steps += steps
        child.send(words)
        child.expect(words.replace(" ", ".{1,20}"))  # the screen has taken them
        child.send("\r")
        assert child.expect([steps[-1]["text"], pexpect.EOF]) == 0, child.before

    def entries(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = json.loads(self.calmkb("session", "list", "--json"))[
            "entries"
        ]
        return found

    def close(self) -> None:
        for child in self.started:
            child.ptyproc.delayafterterminate = 2  # on a busy machine it takes its time to go
            child.close(force=True)


class Codex(Client):
    name = "codex"

    def prepare(self) -> None:
        folder = self.home / ".codex"
        folder.mkdir()
        (folder / "config.toml").write_text(
            'model = "gpt-6-sol"\nmodel_provider = "mock"\nmodel_reasoning_effort = "medium"\n'
            'approval_policy = "never"\nsandbox_mode = "danger-full-access"\n'
            f'[model_providers.mock]\nname = "mock"\nbase_url = "{self.model.address}/v1"\n'
            'wire_api = "responses"\n'
            f'[projects."{self.project}"]\ntrust_level = "trusted"\n'
        )

    def at_terminal(self) -> pexpect.spawn:
        """Start the client and trust its hooks, as a person does at its first start."""
        child = self.spawn("--no-daemon")
        child.expect("without.{1,20}trusting")
        child.send("2")  # Trust all and continue
        child.send("\r")
        child.expect("state=idle")
        return child

    def run(self, words: str, *steps: Json) -> None:
        self.model.steps += steps
        trust = "--dangerously-bypass-hook-trust"
        child = self.spawn("exec", trust, "--skip-git-repo-check", words)
        child.expect(pexpect.EOF)

    def edit(self, name: str) -> Json:
        patch = f"*** Begin Patch\n*** Add File: {name}\n+x = 1\n*** End Patch"
        return {"script": f"text(await tools.apply_patch({json.dumps(patch)}));"}

    def shell(self, command: str) -> Json:
        return {"script": f"text(await tools.exec_command({json.dumps({'cmd': command})}));"}


class Gemini(Client):
    name = "gemini"

    @property
    def env(self) -> dict[str, str]:
        return super().env | {"GEMINI_API_KEY": "x", "GOOGLE_GEMINI_BASE_URL": self.model.address}

    def prepare(self) -> None:
        folder = self.home / ".gemini"
        folder.mkdir()
        settings = {"security": {"auth": {"selectedType": "gemini-api-key"}},
                    "privacy": {"usageStatisticsEnabled": False},
                    "general": {"disableAutoUpdate": True}}  # fmt: skip
        (folder / "settings.json").write_text(json.dumps(settings))

    def at_terminal(self) -> pexpect.spawn:
        child = self.spawn("--skip-trust", "-y")
        child.expect("Type your message")
        return child

    def run(self, words: str, *steps: Json) -> None:
        self.model.steps += steps
        child = self.spawn("--skip-trust", "-y", "-p", words)
        child.expect(pexpect.EOF)

    def edit(self, name: str) -> Json:
        given = {"file_path": str(self.project / name), "content": "x = 1\n"}
        return {"tool": "write_file", "input": given}

    def shell(self, command: str) -> Json:
        return {"tool": "run_shell_command", "input": {"command": command}}


@pytest.fixture(params=[Codex, Gemini], ids=lambda one: one.name)
def client(request: pytest.FixtureRequest, home: Path, tmp_path: Path) -> Iterator[Client]:
    """Return a client whose person has switched it on, in a project with a journal."""
    if not (PROGRAMS / request.param.name).exists():
        pytest.skip("needs the real client: make test-clients")
    project = tmp_path / "shop"
    project.mkdir()
    git(project, "init", "-q")
    (project / "calmkb.toml").write_text("")
    with Model() as model:
        made = request.param(home, project, model)
        made.prepare()
        made.calmkb("agents", "wrapup", "--on")
        yield made
        made.close()
