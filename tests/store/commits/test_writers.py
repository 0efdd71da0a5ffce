"""Many writers at once, and a person at work in the same repository."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import git
from tests.store.writing import ROUNDS, state_of, write

ROOT = Path(__file__).parents[3]
pytestmark = pytest.mark.slow
WRITERS = 16 if ROUNDS > 1 else 6
EACH = 2 * ROUNDS
TURNS = 20 * ROUNDS
"""How often the person acts: without an end to it, sixteen writers on two cores win no race."""


def test_sixteen_writers_lose_nothing_and_mix_nothing(repo):
    everything_written_once(repo, besides=lambda _: None, writers=16)
    assert git(repo, "status", "--porcelain") == ""


def test_writers_beside_a_person_who_commits_by_hand(repo):
    def commit_by_hand(number: int) -> None:
        (repo / "kept.txt").write_text(f"{number}\n")
        attempt(repo, "commit", "-q", "-m", f"by hand {number}", "--", "kept.txt")

    everything_written_once(repo, besides=commit_by_hand)


def test_writers_beside_a_person_who_holds_the_index(repo):
    def hold_the_index(number: int) -> None:
        if number % 2:  # between two commands of a person's, git's lock is free for a moment
            attempt(repo, "log", "--stat", "-5")
            return
        held = repo / ".git/index.lock"
        try:
            held.open("x").close()
        except FileExistsError:
            return
        attempt(repo, "log", "--stat", "-5")
        held.unlink()

    everything_written_once(repo, besides=hold_the_index)
    assert git(repo, "status", "--porcelain") == ""


def test_writers_beside_a_person_who_rebases(repo):
    def rebase(_: int) -> None:
        attempt(repo, "rebase", "-q", "--no-ff", "HEAD~2")

    everything_written_once(repo, besides=rebase)


def everything_written_once(
    repo: Path, *, besides: Callable[[int], None], writers: int = WRITERS
) -> None:
    """Let `writers` processes write while `besides` runs again and again; look at all they left."""
    command = [sys.executable, "-m", "tests.store.writer", str(repo)]
    processes = [
        subprocess.Popen(
            [*command, str(name), str(EACH)],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for name in range(writers)
    ]
    number = 0
    while number < TURNS and any(process.poll() is None for process in processes):
        besides(number)
        number += 1
    while (repo / ".git/rebase-merge").exists():  # a rebase that met a busy lock is given up
        attempt(repo, "rebase", "--abort")
    told = [process.communicate() for process in processes]
    assert [errors for _, errors in told if errors] == []
    acknowledged = sorted(path for output, _ in told for path in output.split())
    write(repo, "journal/last.md")
    found = state_of(repo)
    assert sorted(name for names in found for name in names) == [*acknowledged, "journal/last.md"]
    assert all(len(names) == 1 for names in found)
    assert len(acknowledged) == writers * EACH
    assert git(repo, "fsck", "--strict", "--no-dangling") == ""
    assert [path.name for path in (repo / ".git").rglob("*.lock")] == ["write.lock"]


def attempt(repo: Path, *args: str) -> None:
    """Run git as a person would, who tries again another time where calmkb came first."""
    subprocess.run(["git", *args], cwd=repo, capture_output=True, check=False)
