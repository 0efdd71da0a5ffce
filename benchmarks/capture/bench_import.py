"""Importing entries in batches of 200, as a ratio to one bare `git fast-import` of them all."""

import subprocess
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from calmkb.store.commits.commit import Change, commit
from calmkb.store.git.repository import create_repository

ENTRIES, BATCH = 2_000, 200
GOAL = 0.3
NOW = datetime(2026, 11, 1, tzinfo=UTC)
TEXT = b"---\nid: x\n---\n\n## Summary\n\n" + b"A line of a summary, as long as they are. " * 15


def main() -> None:
    """Print entries a second, both ways."""
    files = {
        f"journal/sessions/{NOW - timedelta(days=n // 20):%Y/%m/%d}/{n:06}.md": TEXT + b"%d" % n
        for n in range(ENTRIES)
    }
    with tempfile.TemporaryDirectory() as folder:
        bare = bare_import(Path(folder), files)
    with tempfile.TemporaryDirectory() as folder:
        ours = by_calmkb(Path(folder), files)
    missed = " (missed)" if ours / bare < GOAL else ""
    print("| | entries/s | ratio | goal |\n|---|---|---|---|")
    print(f"| one bare `git fast-import` commit, no work tree | {bare:,.0f} | 1 | |")
    print(f"| calmkb, batches of {BATCH}, files in place | {ours:,.0f} | {ours / bare:.2f} "
          f"| ≥ {GOAL}{missed} |")  # fmt: skip


def bare_import(root: Path, files: dict[str, bytes]) -> float:
    """Return the entries a second of one commit that leaves no file in the work tree."""
    create_repository(root)
    lines = [b"feature done\ncommit refs/heads/main\ncommitter B <b@x> 1 +0000\ndata 1\nx\n"]
    for path, data in files.items():
        lines.append(b"M 100644 inline %s\ndata %d\n%s\n" % (path.encode(), len(data), data))
    stream = b"".join([*lines, b"done\n"])
    start = time.perf_counter()
    subprocess.run(["git", "fast-import", "--quiet"], cwd=root, input=stream, check=True)
    return len(files) / (time.perf_counter() - start)


def by_calmkb(root: Path, files: dict[str, bytes]) -> float:
    """Return the entries a second as `calmkb import` keeps them."""
    repository = create_repository(root)
    rows = list(files.items())
    start = time.perf_counter()
    for first in range(0, len(rows), BATCH):
        commit(repository, Change(dict(rows[first : first + BATCH]), "import", NOW))
    return len(files) / (time.perf_counter() - start)


if __name__ == "__main__":
    main()
