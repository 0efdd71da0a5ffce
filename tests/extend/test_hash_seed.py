"""What the commands of the loop print does not depend on how Python orders a set."""

import json
import os
import subprocess
import sys

import pytest

from tests.conftest import git
from tests.extend.run_all import run_all

COMMANDS = (
    ("check", "--format", "json"), ("verify", "--format", "json"), ("reflect", "--json"),
    ("reflect", "--dry-run", "--more"), ("export", "--diff"), ("stats", "--json"),
    ("memory", "list", "--json"), ("search", "pnpm lock", "--json"), ("session", "list", "--json"),
)  # fmt: skip
FRICTION = (
    "`npm test` hung: this repository uses pnpm, and npm rewrote the lock file.",
    "npm install rewrote the lock file again; only pnpm may write it.",
    "The migration failed until the database container was started.",
    "Migrations need the database container, which nothing starts by itself.",
    "`make lint` has to run before a push, or the pipeline fails.",
    "The pipeline failed because `make lint` was not run before the push.",
)


def run(args, text=None):
    command = [sys.executable, "-m", "calmkb", *args]
    env = os.environ | {"PYTHONHASHSEED": "random"}
    done = subprocess.run(command, capture_output=True, text=True, env=env, input=text, check=False)
    assert done.returncode == 0, done.stderr


def approve(repo, text):
    folder = repo / "journal/memories/workflow"
    folder.mkdir(parents=True)
    (folder / "2026-10-21-a-1b2c3d4e.md").write_text(
        "---\nid: 1b2c3d4e-7d0e-4a58-8f55-2a1f6f0b9e43\ncreated_at: '2026-10-21T09:05:10+00:00'\n"
        "category: workflow\nimportance: 0.8\nconfidence: high\nscope: global\norigin: person\n"
        f"approved_by: ada@example.org\n---\n\n{text}\n"
    )
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "Add a memory")


@pytest.mark.slow  # a process for each command and seed
def test_no_command_prints_something_else_under_another_seed(repo, monkeypatch):
    monkeypatch.chdir(repo)
    (repo / "CLAUDE.md").write_text("Use `src/*.py:Thing` and `lib/gone.py`; run `make lint`.\n")
    for name in ("a", "b", "c"):
        (repo / "src").mkdir(exist_ok=True)
        (repo / f"src/{name}.py").write_text(f"class Thing{name}: ...\n")
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "Begin")
    run(["init", "--place", "here", "--yes"])
    for number, line in enumerate(FRICTION):
        entry = {
            "summary": f"Worked on part {number}.",
            "friction_points": [line],
            "next_steps": [f"Finish part {number}."],
            "learnings": [f"Remember: {line}"],
        }
        run(["wrapup", "--json", "-"], text=json.dumps(entry))
    approve(repo, "Use pnpm here; npm rewrites `lib/lock.yaml`, see `src/*.py:Thing`.")
    seeds = [os.environ | {"PYTHONHASHSEED": seed} for seed in ("1", "2", "3")]
    printed = [run_all(repo, env, *COMMANDS, codes=("0", "1")) for env in seeds]
    for args, first, *others in zip(COMMANDS, *printed, strict=True):
        assert first.strip(), args
        assert others == [first, first], args
