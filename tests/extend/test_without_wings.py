"""Each wing taken out, its folder and its lines of the tables: the loop works all the same."""

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import git
from tests.extend.run_all import run_all

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
