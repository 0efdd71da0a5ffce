"""Each wing taken out, its folder and its lines of the tables: the loop works all the same."""

import ast
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.conftest import git

PACKAGE = Path(__file__).parents[2] / "calmkb"
WINGS = sorted(path.parent.name for path in (PACKAGE / "wings").glob("*/__init__.py"))


def without(wing: str, folder: Path) -> None:
    """Copy calmkb into `folder` without a wing."""
    shutil.copytree(PACKAGE, folder / "calmkb", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(PACKAGE.parent / "templates", folder / "templates")
    shutil.rmtree(folder / "calmkb/wings" / wing)
    name = f"calmkb.wings.{wing}."
    for file in (folder / "calmkb").rglob("*.py"):
        if name in (text := file.read_text("utf-8")):
            file.write_text(without_rows(text, name), "utf-8")
    assert not [file for file in (folder / "calmkb").rglob("*.py") if name in file.read_text()]


def without_rows(text: str, name: str) -> str:
    """Return a module's text without the entries of dictionaries that name a wing's module."""
    lines = text.splitlines(keepends=True)
    tables = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Dict)]
    for key, value in ((k, v) for one in tables for k, v in zip(one.keys, one.values, strict=True)):
        names = value.elts if isinstance(value, ast.Tuple) else [value]
        first = names[0] if names else None
        if key and isinstance(first, ast.Constant) and str(first.value).startswith(name):
            for number in range(key.lineno - 1, value.end_lineno or 0):
                lines[number] = ""
    return "".join(lines)


COMMANDS = """
import gc, json, os, sys
import calmkb.cli.root, calmkb.store.git.run, calmkb.store.index.index
import sklearn.cluster, sklearn.feature_extraction.text, sklearn.neighbors
from calmkb.__main__ import main

gc.freeze()
for line in sys.stdin.readlines():
    if child := os.fork() if hasattr(os, "fork") else 0:
        print(f"\\0{os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])}\\0", end="", flush=True)
        continue
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    sys.argv = ["calmkb", *json.loads(line)]
    code = 0
    try:
        main()
    except SystemExit as done:
        code = done.code or 0
    sys.stdout.flush()
    os._exit(code)  # all that is imported would be taken down
"""
"""A program that runs each command in a process that has imported what all of them need."""


def run_all(folder: Path, env: dict[str, str], *commands: Sequence[str]) -> list[str]:
    """Return what each command prints; each must succeed. Windows starts Python for each."""
    printed = list[str]()
    for some in [commands] if hasattr(os, "fork") else [(one,) for one in commands]:
        done = subprocess.run(
            [sys.executable, "-c", COMMANDS], input="".join(f"{json.dumps(one)}\n" for one in some),
            cwd=folder, capture_output=True, text=True, env=env, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        *parts, _ = done.stdout.split("\0") if hasattr(os, "fork") else (done.stdout, "0", "")
        assert parts[1::2] == ["0"] * len(some), done.stderr
        printed += parts[::2]
    return printed


@pytest.mark.slow  # a copy of calmkb for each wing, and ten commands with each
@pytest.mark.parametrize("wing", WINGS)
def test_the_loop_works_without(wing, tmp_path, repo):
    without(wing, tmp_path)
    env = os.environ | {"PYTHONPATH": str(tmp_path)}

    for words in (("--help",), ("init", "--place", "here", "--yes")):
        begun = [sys.executable, "-m", "calmkb", *words]
        subprocess.run(begun, cwd=repo, env=env, check=True, capture_output=True)
    folder = repo / "journal/memories/workflow"
    folder.mkdir(parents=True)
    (folder / "2026-10-21-a-1b2c3d4e.md").write_text(
        "---\nid: 1b2c3d4e-7d0e-4a58-8f55-2a1f6f0b9e43\ncreated_at: '2026-10-21T09:05:10+00:00'\n"
        "category: workflow\nimportance: 0.8\nconfidence: high\nscope: global\norigin: person\n"
        "approved_by: ada@example.org\n---\n\nUse pnpm; npm rewrites the lock file.\n"
    )
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "Add a memory")
    wrapups = [
        ("wrapup", "--summary", f"Moved part {number} to pnpm.", "--next", f"Move {number}.",
         "--friction", "npm rewrote the lock file of this pnpm repository.")
        for number in (1, 2)
    ]  # fmt: skip
    listed, found, shown, *_, reflected = run_all(
        repo, env, ("help", "--all"), ("search", "pnpm"), ("show", "1b2c3d4e"), *wrapups,
        ("export", "--target", "claude-md"), ("check",), ("next",), ("stats",),
        ("hook", "SessionStart"), *([("site", "build")] if wing != "site" else []),
        ("reflect", "--json"),
    )  # fmt: skip
    assert "wrapup" in listed and "memory" in listed
    assert "pnpm" in found
    assert "Use pnpm" in shown
    assert "npm rewrote" in reflected
    assert "Use pnpm" in (repo / "CLAUDE.md").read_text()
