"""A person's machine in a temporary folder: a home, repositories, and calmkb as a program."""

import json
import os
import subprocess
import sys
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

PERSON = ("Ada Reviewer", "ada@example.org")
STRANGER = ("Mallory", "mallory@evil.example")
_SECONDS = 300
_EACH = """
import json, os, sys
from calmkb.cli.base.common import run
from calmkb.cli.root import calmkb
from calmkb.kb import digests, reflection, wrapup
for args in json.loads(sys.argv[1]):
    child = os.fork()
    if not child:
        code = 3
        try:
            code = run(calmkb, args)
        finally:
            os._exit(code)
    os.waitpid(child, 0)
"""


@dataclass
class Sandbox:
    """One machine. Whatever is planted must leave `outside` as it is and never make `canary`."""

    root: Path
    home: Path = field(init=False)
    outside: Path = field(init=False)
    canary: Path = field(init=False)

    def __post_init__(self) -> None:
        self.home, self.outside = self.root / "home", self.root / "outside"
        self.canary = self.root / "canary"
        for folder in (self.home, self.outside):
            folder.mkdir(parents=True)
        (self.outside / "thesis.txt").write_text("years of work\n")
        (self.outside / "settings.json").write_text("{}\n")
        name, email = PERSON
        (self.home / ".gitconfig").write_text(
            f"[user]\n\tname = {name}\n\temail = {email}\n[init]\n\tdefaultBranch = main\n"
        )

    @property
    def env(self) -> dict[str, str]:
        """The environment of the person's shell."""
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("GIT_", "CALM", "CLAUDE"))}
        home = str(self.home)
        return kept | {"HOME": home, "USERPROFILE": home, "GIT_CONFIG_NOSYSTEM": "1",
                       "GIT_CONFIG_GLOBAL": f"{home}/.gitconfig"}  # fmt: skip

    def git(self, folder: Path, *args: str, who: tuple[str, str] = PERSON) -> str:
        """Run git as somebody and return what it prints."""
        name, email = who
        done = subprocess.run(
            ["git", "-c", f"user.name={name}", "-c", f"user.email={email}", *args],
            cwd=folder, env=self.env, capture_output=True, text=True, check=True,
        )  # fmt: skip
        return done.stdout

    def calmkb(
        self, folder: Path, *args: str, stdin: str = ""
    ) -> "subprocess.CompletedProcess[str]":
        """Run calmkb without a terminal, as an agent, a hook or a script does."""
        return subprocess.run(
            [sys.executable, "-m", "calmkb", *args], cwd=folder, env=self.env, input=stdin,
            capture_output=True, text=True, errors="replace", timeout=_SECONDS, check=False,
        )  # fmt: skip

    def calmkb_each(self, folder: Path, commands: Sequence[Sequence[str]]) -> None:
        """Run calmkb once for each command, in forks of one process that has imported it."""
        subprocess.run(
            [sys.executable, "-c", _EACH, json.dumps(commands)], cwd=folder, env=self.env,
            stdin=subprocess.DEVNULL, capture_output=True, timeout=_SECONDS, check=False,
        )  # fmt: skip

    def repository(self, name: str, files: dict[str, str], who: tuple[str, str] = PERSON) -> Path:
        """Make a repository with one commit."""
        folder = self.root / name
        folder.mkdir()
        self.git(folder, "init", "-q", "-b", "main")
        self.commit(folder, files or {"calmkb.toml": ""}, who=who)
        return folder

    def commit(self, folder: Path, files: dict[str, str], *, who: tuple[str, str] = PERSON) -> None:
        """Write files and commit them as somebody."""
        for path, text in files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text, encoding="utf-8", newline="")
        self.git(folder, "add", "-A", who=who)
        self.git(folder, "commit", "-qm", "change", who=who)

    def clone(self, origin: Path, name: str) -> Path:
        """Clone as the person does."""
        self.git(self.root, "clone", "-q", str(origin), name)
        return self.root / name

    def hook(self, folder: Path, event: str, **more: str) -> str:
        """Run a hook as the client does and return what the agent is told."""
        said = {"session_id": str(uuid.uuid4()), "cwd": str(folder), "hook_event_name": event}
        return self.calmkb(folder, "hook", event, stdin=json.dumps(said | more)).stdout

    def harmed(self) -> list[str]:
        """Return what happened outside: a program ran, a file was written or removed."""
        found = [str(path) for path in self.root.glob("canary*")]
        kept = sorted(path.name for path in self.outside.rglob("*"))
        if kept != ["settings.json", "thesis.txt"]:
            found.append(f"outside holds {kept}")
        elif (self.outside / "thesis.txt").read_text() != "years of work\n":
            found.append("outside/thesis.txt was changed")
        elif (self.outside / "settings.json").read_text() != "{}\n":
            found.append("outside/settings.json was changed")
        return found
