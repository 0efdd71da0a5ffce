"""Lists and searches, as ratios to a bare interpreter; refreshing and building the index."""

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from generator import THINGS, TROUBLES, commit, entry, generate

from calmkb.documents import record_path, render
from calmkb.kb.base.environment import process_environment
from calmkb.kb.base.knowledge_base import KnowledgeBase, open_kb
from calmkb.kb.search.search import search
from calmkb.store.index.index import with_index
from calmkb.store.index.schema import index_path

SIZES = (1_000, 10_000, 100_000)
ROUNDS = 11
CALMKB = [sys.executable, "-m", "calmkb"]
SETTLE_SECONDS = 2.5  # a file is trusted once its clock has ticked on


def main() -> None:
    """Print the medians for 1,000, 10,000 and 100,000 entries (or the sizes given)."""
    sizes = [int(word) for word in sys.argv[2:] if word.isdigit()] or SIZES
    print("| what | entries | median | ratio | goal |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        roots = {size: Path(folder) / str(size) for size in sizes}
        for size, root in roots.items():
            generate(root, size)
        time.sleep(SETTLE_SECONDS)
        for size, root in roots.items():
            measure_index(root, size)
        measure_commands(roots)
        for size, root in roots.items():
            measure_search(root, size)


def measure_index(root: Path, size: int) -> None:
    """Print how fast the index is built, and brought up to date after one commit."""
    kb = open_kb(process_environment(), option=str(root))
    total = sum(1 for _ in kb.journal.rglob("*.md"))
    Path(index_path(kb.journal) or "").unlink(missing_ok=True)
    build = timed(lambda: refresh(kb))
    row(f"build ({total:,} records)", size, f"{build:.2f} s", total / build, "≥ 2,000/s", 2_000)
    times = []
    for number in range(5):
        record = entry(size + number, size + 5)
        path = f"journal/{record_path(record)}"
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(render(record).encode())
        commit(root, {path: (root / path).read_bytes()})
        times.append(timed(lambda: refresh(kb)))
    median = statistics.median(times)
    row("refresh after a commit", size, f"{median * 1000:.0f} ms", median / build, "≤ 0.05", 0.05)
    time.sleep(SETTLE_SECONDS)
    refresh(kb)


def refresh(kb: KnowledgeBase) -> None:
    """Bring the index up to date."""
    with_index(kb.journal, lambda index: index.problems())


def measure_commands(roots: dict[int, Path]) -> None:
    """Print what whole commands take, interleaved with a bare interpreter."""
    bare = "python -c pass"
    commands: dict[tuple[str, int], list[str]] = {(bare, 0): [sys.executable, "-c", "pass"]}
    commands[("calmkb --help", 0)] = [*CALMKB, "--help"]
    for size, root in roots.items():
        at = [*CALMKB, "--kb", str(root)]
        commands[("session list", size)] = [*at, "session", "list"]
        commands[("search", size)] = [*at, "search", THINGS[0], TROUBLES[1]]
    times: dict[tuple[str, int], list[float]] = {key: [] for key in commands}
    for _ in range(ROUNDS):
        for key, command in commands.items():
            run = partial(subprocess.run, command, capture_output=True, check=True)
            times[key].append(timed(run))
    medians = {key: statistics.median(found) for key, found in times.items()}
    goals = {("calmkb --help", 0): 5.0, ("session list", 10_000): 7.0, ("search", 10_000): 8.0}
    for key, median in medians.items():
        ratio, goal = median / medians[bare, 0], goals.get(key)
        row(*key, f"{median * 1000:.0f} ms", ratio, f"≤ {goal:g}" if goal else "", goal)
    ends = [("session list", size) for size in (1_000, 100_000)]
    if all(end in medians for end in ends):
        ratio = medians[ends[1]] / medians[ends[0]]
        row("session list, against 1,000", 100_000, "", ratio, "≤ 1.5", 1.5)


def measure_search(root: Path, size: int) -> None:
    """Print the 95th percentile of searches inside one process."""
    kb = open_kb(process_environment(), option=str(root))
    words = [f"{thing} {trouble}" for thing in THINGS[::29] for trouble in TROUBLES[:3]]
    words += [entry(number, size).friction_points[0] for number in range(0, size, size // 30)]
    every: tuple[dict[str, Any], ...] = ({}, {"kind": "memory"}, {"project": "ledger"})
    for limits in every:
        times = sorted(timed(partial(search, kb, text, **limits)) for text in words)
        name = f"search in process, p95 {' '.join(limits)}".strip()
        p95 = times[len(times) * 95 // 100] * 1000
        row(name, size, f"{p95:.0f} ms", p95, "≤ 50 ms" if size == 100_000 else "", 50)


def timed(act: Callable[[], object]) -> float:
    """Return the seconds that `act` takes."""
    start = time.perf_counter()
    act()
    return time.perf_counter() - start


def row(what: str, size: int, median: str, ratio: float, goal: str, wanted: float | None) -> None:
    """Print a row; a goal that is missed is marked."""
    missed = goal and wanted and (ratio < wanted if goal.startswith("≥") else ratio > wanted)
    shown = f"{ratio:,.0f}" if ratio >= 100 else f"{ratio:.2g}" if ratio < 0.1 else f"{ratio:.2f}"
    count = f"{size:,}" if size else ""
    print(
        f"| {what} | {count} | {median} | {shown} | {goal}{' (missed)' if missed else ''} |",
        flush=True,
    )


if __name__ == "__main__":
    main()
