"""The longest records of the worst texts: every command that reads them ends, within limits."""

import subprocess
import sys

import pytest

from tests.cli.conftest import cli, project  # noqa: F401 - fixtures
from tests.conftest import git

resource = pytest.importorskip("resource", reason="limits of a process are POSIX")
pytestmark = pytest.mark.slow

TEXTS = [
    "a" * 9_900,
    " ".join(f"t{n}" for n in range(1_800)), "> " * 4_900, "[" * 9_900, "*a **" * 1_900,
    "<div>" * 1_900, "`" * 4_900 + "x", "![a](" * 1_900, "&#x41;" * 1_600, "|a" * 4_900,
    "_a_" * 3_000, "<" * 9_900, "a." * 4_900, "a/" * 4_900, '"' * 9_900, "- " * 4_900, "(" * 9_900,
]  # fmt: skip
RECORD = """---
id: 1f0c6a0e-3f0e-4a6b-9a51-0f6f2b7f7c11
created_at: '2026-10-19T14:22:33+00:00'
project_name: shop
---

## Summary

The worst.

## Friction points

{}
"""
COMMANDS = (
    ["check"], ["search", "a", '"a" OR (a AND NEAR(' * 500], ["reflect", "--json"], ["stats"],
    ["session", "list"], ["export"], ["site", "build"],
)  # fmt: skip
MEMORY, SECONDS = 2 << 30, 60


def limit() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


@pytest.fixture
def worst(project, cli):  # noqa: F811
    """Return a project whose journal holds the worst texts beside a good session."""
    assert cli("init", ".").code == 0
    assert cli("wrapup", "--summary", "A good session.").code == 0
    folder = project / "journal/sessions/2026/10/19"
    folder.mkdir(parents=True)
    items = "\n".join(f"- {text}" for text in TEXTS * 2)
    (folder / "2026-10-19T142233Z-worst-1f0c6a0e.md").write_text(RECORD.format(items))
    git(project, "add", "-A")
    git(project, "commit", "-qm", "a pull request")
    return project


def within_limits(folder, args):
    done = subprocess.run(
        [sys.executable, "-m", "calmkb", *args], cwd=folder, preexec_fn=limit,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode in (0, 1), (done.returncode, done.stderr[-500:])
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("args", COMMANDS, ids=lambda args: args[0])
def test_within_two_gigabytes_and_a_minute_of_processor_time(worst, args):
    within_limits(worst, args)


@pytest.mark.parametrize("part", [".", "./", "a/", "( ", "`a/` ", "removed "])
def test_verify_reads_the_longest_line_before_a_path_that_never_was(project, part):  # noqa: F811
    (project / "src/pay").mkdir(parents=True)
    (project / "src/pay/cents.ts").touch()
    line = part * (300_000 // len(part))
    (project / "CLAUDE.md").write_text(f"{line}a src/pay/never.ts is\n")
    git(project, "add", "-A")
    git(project, "commit", "-qm", "a pull request")
    within_limits(project, ["verify"])
