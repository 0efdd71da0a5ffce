"""Committing one entry, as a ratio to `git add` and `git commit`, with GitPython beside them."""

import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from git import Repo

from calmkb.store.commits.commit import Change, commit
from calmkb.store.git.repository import create_repository, find_repository

ROUNDS = 9
SIZES = (1_000, 10_000, 100_000)
NOW = datetime(2026, 11, 1, tzinfo=UTC)
Way = Callable[[Path, int], None]
TEXT = b"---\nid: x\n---\n\n## Summary\n\n" + b"A line of a summary, as long as they are. " * 15


def main() -> None:
    """Print the median of 9 commits each way into repositories of three sizes."""
    print("| entries | porcelain, ms | calmkb, ms | ratio | goal | no index, ms | ratio | goal | "
          "GitPython, ms |")  # fmt: skip
    print("|---|---|---|---|---|---|---|---|---|")
    for size in SIZES:
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            fill(root, size)
            settle_disk()
            ways: dict[Way, list[float]] = {
                each: []
                for each in (by_porcelain, by_calmkb, by_calmkb_without_index, by_gitpython)
            }
            for number in range(ROUNDS):
                for way, times in ways.items():
                    times.append(timed(way, root, number))
        porcelain, ours, bare, theirs = (statistics.median(times) * 1000 for times in ways.values())
        cells = [f"{size:,}", f"{porcelain:.0f}"]
        for took, goal in ((ours, 0.45), (bare, 0.35)):
            ratio = took / porcelain
            wanted = f"≤ {goal}" if size == 10_000 else ""
            missed = " (missed)" if wanted and ratio > goal else ""
            cells += [f"{took:.0f}", f"{ratio:.2f}", wanted + missed]
        print(f"| {' | '.join([*cells, f'{theirs:.0f}'])} |", flush=True)


def settle_disk() -> None:
    """Let the disk finish what filling began: the first fsync after it would wait for all of it."""
    if hasattr(os, "sync"):
        os.sync()


def fill(root: Path, size: int) -> None:
    """Make a repository with `size` entries in folders of a day each, in one commit."""
    create_repository(root)
    start = NOW - timedelta(days=size // 20)
    files = {
        f"journal/sessions/{start + timedelta(days=n // 20):%Y/%m/%d}/{n:06}.md": TEXT + b"%d" % n
        for n in range(size)
    }
    lines = [b"feature done\ncommit refs/heads/main\ncommitter B <b@x> 1 +0000\ndata 1\nx\n"]
    for path, data in files.items():
        lines.append(b"M 100644 inline %s\ndata %d\n%s\n" % (path.encode(), len(data), data))
    stream = b"".join([*lines, b"done\n"])
    subprocess.run(["git", "fast-import", "--quiet"], cwd=root, input=stream, check=True)
    subprocess.run(["git", "reset", "-q", "--hard"], cwd=root, check=True)
    subprocess.run(["git", "gc", "-q"], cwd=root, check=True)


def timed(function: Way, root: Path, number: int) -> float:
    """Return the seconds that one call takes."""
    start = time.perf_counter()
    function(root, number)
    return time.perf_counter() - start


def by_porcelain(root: Path, number: int) -> None:
    """Commit one entry as a script would."""
    path = root / f"journal/sessions/2026/11/01/p{number}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(TEXT + b"p%d" % number)
    subprocess.run(["git", "add", "--", path], cwd=root, check=True)
    subprocess.run(["git", "commit", "-q", "-m", "p", "--", path], cwd=root, check=True)


def by_calmkb(root: Path, number: int) -> None:
    """Commit one entry as calmkb does, finding the repository first."""
    repository = find_repository(root)
    if repository is None:
        raise SystemExit(f"{root} is no repository")
    path = f"journal/sessions/2026/11/01/c{number}.md"
    commit(repository, Change({path: TEXT + b"c%d" % number}, "c", NOW))


def by_calmkb_without_index(root: Path, number: int) -> None:
    """Commit one entry with the index out of the way: next to nothing to bring up."""
    index, aside = root / ".git/index", root / ".git/index-aside"
    if index.stat().st_size > 1024:
        index.rename(aside)
    try:
        by_calmkb(root, number + 1000)
    finally:
        aside.replace(index)


def by_gitpython(root: Path, number: int) -> None:
    """Commit one entry through GitPython's index, as a Python program would that knows no other."""
    path = root / f"journal/sessions/2026/11/01/g{number}.md"
    path.write_bytes(TEXT + b"g%d" % number)
    repo = Repo(root)
    repo.index.add([str(path)])
    repo.index.commit("g")


if __name__ == "__main__":
    main()
