"""Many writers at once, as a ratio to a lock around `git add` and `git commit`."""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench_commit import NOW, TEXT, by_porcelain, fill, settle_disk
from filelock import FileLock

from calmkb.store.commits.commit import Change, commit
from calmkb.store.git.repository import find_repository

GOALS = {1_000: 2.0, 10_000: 4.0}
WRITERS = (8, 16)
EACH = 12


def main() -> None:
    """Print commits a second each way, writers that write 12 entries each, interleaved."""
    print("| entries | writers | lock + porcelain, /s | calmkb, /s | ratio | goal |")
    print("|---|---|---|---|---|---|")
    for size, goal in GOALS.items():
        for writers in WRITERS:
            with tempfile.TemporaryDirectory() as folder:
                root = Path(folder)
                fill(root, size)
                porcelain, ours = (rate(root, way, writers) for way in ("porcelain", "calmkb"))
            ratio = ours / porcelain
            missed = " (missed)" if ratio < goal else ""
            print(
                f"| {size:,} | {writers} | {porcelain:.0f} | {ours:.0f} | {ratio:.1f} "
                f"| ≥ {goal:g}{missed} |"
            )


def rate(root: Path, way: str, writers: int) -> float:
    """Return the commits a second of `writers` processes, from the word go."""
    command = [sys.executable, __file__, str(root), way]
    running = [
        subprocess.Popen([*command, str(n)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        for n in range(writers)
    ]
    for process in running:
        process.stdout.readline()  # type: ignore[union-attr]
    settle_disk()
    start = time.perf_counter()
    for process in running:
        process.stdin.close()  # type: ignore[union-attr]
    assert [process.wait() for process in running] == [0] * writers
    for process in running:
        process.stdout.close()  # type: ignore[union-attr]
    return writers * EACH / (time.perf_counter() - start)


def write(root: Path, way: str, writer: int) -> None:
    """Say that we are ready, wait for the word, and write."""
    print("ready", flush=True)
    sys.stdin.read()
    for number in range(writer * EACH, (writer + 1) * EACH):
        if way == "porcelain":
            with FileLock(root / ".git/porcelain.lock", poll_interval=0.002):
                by_porcelain(root, number)
            continue
        repository = find_repository(root)
        assert repository
        path = f"journal/sessions/2026/11/01/c{number}.md"
        commit(repository, Change({path: TEXT + b"c%d" % number}, "c", NOW))


if __name__ == "__main__":
    if sys.argv[1:]:
        write(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
    else:
        main()
