"""Histories as Claude Code leaves them: generated, in its real schema, for whole walks."""

import json
import os
import random
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

START = datetime(2026, 10, 1, 9, 0, tzinfo=UTC)
TASKS = (
    "Add a retry to the payment client", "Fix the rounding of totals in the till",
    "Write tests for the export page", "Move the checkout tests to the new fixture",
    "Explain how the order queue is drained", "Rename the cart service",
    "Show the tax on the receipt", "Speed up the product search",
)  # fmt: skip
LESSONS = (
    "No, don't use npm here, use pnpm: npm rewrites the lock file.",
    "That's wrong, totals must be whole pennies, never floats.",
    "Always start the database container before the end-to-end tests.",
)
FAILURE = ("pnpm test:e2e", "Exit code 1\nError: connect ECONNREFUSED 127.0.0.1:5432",
           "docker compose up -d db")  # fmt: skip


@dataclass
class Session:
    """One session under way: lines in the order in which the client writes them."""

    cwd: str
    number: int
    at: datetime
    branch: str = "main"
    more: dict[str, Any] = field(default_factory=dict)
    lines: list[dict[str, Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.id = str(uuid.UUID(int=self.number + (hash_of(self.cwd) << 32), version=4))

    def person(self, text: str) -> None:
        """Add a prompt."""
        self._add("user", text)

    def agent(self, text: str) -> None:
        """Add what the agent says."""
        self._add("assistant", [{"type": "text", "text": text}])

    def run(self, command: str, output: str = "ok", *, failed: bool = False) -> None:
        """Add a shell command and its answer."""
        called = f"toolu_{self.number}_{len(self.lines)}"
        use = {"type": "tool_use", "id": called, "name": "Bash", "input": {"command": command}}
        self._add("assistant", [use])
        result = {"type": "tool_result", "tool_use_id": called, "content": output,
                  "is_error": failed}  # fmt: skip
        answer = f"Error: {output}" if failed else {"stdout": output, "stderr": ""}
        self._add("user", [result], toolUseResult=answer)

    def _add(self, role: str, content: Any, **more: Any) -> None:
        parent = self.lines[-1]["uuid"] if self.lines else None
        self.at += timedelta(seconds=30)
        self.lines.append(
            {"type": role, "uuid": f"{self.id}-{len(self.lines)}", "parentUuid": parent,
             "sessionId": self.id, "cwd": self.cwd, "gitBranch": self.branch, "version": "2.1.330",
             "isSidechain": False, "userType": "external", "entrypoint": "cli",
             "timestamp": self.at.isoformat().replace("+00:00", "Z"),
             "message": {"role": role, "content": content}, **self.more, **more}
        )  # fmt: skip

    def write(self, home: Path) -> Path:
        """Write the session where the client keeps it, as old as its last line."""
        mapped = "".join(c if c.isascii() and c.isalnum() else "-" for c in self.cwd)
        path = home / ".claude/projects" / mapped / f"{self.id}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(json.dumps(line) + "\n" for line in self.lines))
        os.utime(path, (self.at.timestamp(), self.at.timestamp()))
        return path


def hash_of(text: str) -> int:
    """Return a small number that is the same in every process."""
    return sum(place * ord(letter) for place, letter in enumerate(text, 1)) % 100_000


def work(cwd: str, number: int, seed: random.Random) -> Session:
    """Return a usual session: a task, some work, at times a lesson or a failure and its cure."""
    made = Session(cwd, number, START + timedelta(hours=3 * number), branch=f"task-{number}")
    made.person(f"{seed.choice(TASKS)}, part {number}")
    made.agent("I'll look at the code first.")
    made.run("git status", "nothing to commit")
    if number % 3 == 0:
        command, error, cure = FAILURE
        made.run(command, error, failed=True)
        made.run(cure)
        made.run(command, "14 passed")
    if number % 2 == 0:
        made.agent("I changed it and ran `npm test`. Shall I commit?")
        made.person(seed.choice(LESSONS))
    made.agent(f"Done: part {number} works and the tests pass.")
    return made


def histories(home: Path, folders: Sequence[str], count: int, seed: int = 1) -> Iterator[Path]:
    """Write `count` sessions in turn in these folders, and yield their files."""
    chance = random.Random(seed)  # noqa: S311 - the same history each time
    for number in range(count):
        yield work(folders[number % len(folders)], number, chance).write(home)
