"""Alike statements: the join, clusters, and ten new statements against many old ones.

Every measurement is a child process, so that its peak of memory is its own. Texts are words drawn
by Zipf's law from 30,000, 8 to 40 a text, one in ten a near copy of another; vectors are TF-IDF of
words, the same for all ways. `run.py similarity SIZE…` measures other sizes, `whole` the blocked
product of all rows instead of a sample of its blocks.
"""

import itertools
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

SIZES = (10_000, 100_000)
THRESHOLD, THEME = 0.6, 0.3
NEW = 10
BLOCK = 1_000
SAMPLED = 10
VOCABULARY = 30_000
SYLLABLES = "ba co di fu ge ha jo ki la me no pu ra se ti vo wu xi yo lock test path node".split()


def main() -> None:
    """Print times and peaks for 10,000 and 100,000 texts (or the sizes given)."""
    sizes = [int(word) for word in sys.argv[2:] if word.isdigit()] or list(SIZES)
    whole = "whole" in sys.argv[2:]
    print("| what | texts | s | ratio | goal | peak, MB | ratio | goal |")
    print("|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for size in sizes:
            child(Path(folder), size, "prepare")  # a parent's peak would count as its children's
            measure(Path(folder), size, whole=whole)


def measure(folder: Path, size: int, *, whole: bool) -> None:
    """Print the rows of one size."""
    base = child(folder, size, "load")["peak"]
    goals = {10_000: (0.15, 0.25), 100_000: (0.06, None)}.get(size, (None, None))
    if size <= 10_000:
        against = child(folder, size, "dense")
        row("dense cosine", size, against)
    else:
        against = child(folder, size, "whole" if whole else "blocked")
        told = "" if whole else f", {SAMPLED} of {size // BLOCK} blocks, extrapolated"
        row(f"blocked sparse product{told}", size, against)
    ours = child(folder, size, "join")
    if size <= 10_000 or whole:
        assert ours["pairs"] == against["pairs"], (ours, against)
    row("join at .6", size, ours, against, *goals)
    print(f"| the vectors and libraries alone | {size:,} | | | | {base:.0f} | | |")
    row("clusters of all, theme .3", size, child(folder, size, "clusters"))
    new = f"{NEW} new against the others, whole process:"
    refit = child(folder, size, "refit")
    row(f"{new} words fitted anew by scikit-learn", size, refit)
    rebuild = child(folder, size, "anew")
    row(f"{new} calmkb's terms counted anew", size, rebuild)
    child(folder, size, "keep")
    kept = child(folder, size, "alike")
    assert kept["pairs"] == rebuild["pairs"], (kept, rebuild)
    row(f"{new} counts kept, against scikit-learn", size, kept, refit,
        0.1 if size == 100_000 else None)  # fmt: skip
    row(f"{new} counts kept, against counting anew", size, kept, rebuild)
    row(f"{new} counts kept, their groups", size, child(folder, size, "around"), rebuild)


def row(
    what: str, size: int, found: dict[str, float], against: dict[str, float] | None = None,
    wanted: float | None = None, wanted_peak: float | None = None,
) -> None:  # fmt: skip
    """Print a row; a goal that is missed is marked."""
    cells = [what, f"{size:,}", f"{found['seconds']:.2f}"]
    for name, goal in (("seconds", wanted), ("peak", wanted_peak)):
        if name == "peak":
            cells.append(f"{found['peak']:.0f}")
        ratio = found[name] / against[name] if against else None
        cells.append(f"{ratio:.3f}" if ratio is not None else "")
        missed = goal is not None and ratio is not None and ratio > goal
        cells.append(f"≤ {goal:g}{' (missed)' if missed else ''}" if goal is not None else "")
    print(f"| {' | '.join(cells)} |", flush=True)


def child(folder: Path, size: int, way: str) -> dict[str, float]:
    """Return what a process of its own reports; `seconds` of the whole where it says none."""
    start = time.perf_counter()
    command = [sys.executable, __file__, way, str(folder), str(size)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found: dict[str, float] = {"seconds": time.perf_counter() - start}
    return found | json.loads(done.stdout)


def texts(size: int) -> list[str]:
    """Return the texts, the same for the same size."""
    dice = random.Random(size)
    names = ["".join(dice.choices(SYLLABLES, k=dice.randint(1, 4))) for _ in range(VOCABULARY)]
    words = [name if n < 2_000 else f"{name}{n}" for n, name in enumerate(names)]
    sums = list(itertools.accumulate((n + 2.7) ** -1.05 for n in range(VOCABULARY)))
    made: list[str] = []
    for _ in range(size):
        if made and dice.random() < 0.1:
            copy = dice.choice(made).split()
            copy[dice.randrange(len(copy))] = dice.choices(words, cum_weights=sums)[0]
        else:
            copy = dice.choices(words, cum_weights=sums, k=dice.randint(8, 40))
        made.append(" ".join(copy))
    return made


def prepare(folder: Path, size: int) -> None:
    """Write the texts and their vectors."""
    from scipy.sparse import save_npz

    made = texts(size)
    (folder / f"{size}.txt").write_text("\n".join(made))
    save_npz(folder / f"{size}.npz", by_sklearn(made), compressed=False)


def by_sklearn(lines: list[str]) -> Any:
    """Return TF-IDF rows."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    maker = TfidfVectorizer(sublinear_tf=True, token_pattern=r"\S+")  # noqa: S106
    return maker.fit_transform(lines).tocsr()


def work(way: str, folder: Path, size: int) -> dict[str, Any]:
    """Do one thing in this process; `seconds` are those without imports and reading."""
    if way == "prepare":
        prepare(folder, size)
        return {}
    if way in ("refit", "anew", "keep", "alike", "around"):
        return against_many(way, folder, size)
    from scipy.sparse import load_npz

    from calmkb.reflect.similarity import clusters
    from calmkb.reflect.similarity.join import gathered, join

    rows = load_npz(folder / f"{size}.npz")
    start = time.perf_counter()
    pairs = 0
    if way == "dense":
        table = (rows @ rows.T).toarray()
        pairs = (int((table >= THRESHOLD - 1e-9).sum()) - size) // 2
    elif way in ("blocked", "whole"):
        blocks = range(0, size, BLOCK)
        chosen = blocks if way == "whole" else blocks[:: max(1, len(blocks) // SAMPLED)]
        for at in chosen:
            pairs += int(((rows[at : at + BLOCK] @ rows.T).data >= THRESHOLD - 1e-9).sum())
        pairs = (pairs - size) // 2
        scale = len(blocks) / len(chosen)
        return {"seconds": (time.perf_counter() - start) * scale, "pairs": pairs}
    elif way == "join":
        pairs = len(gathered(join(rows, THRESHOLD)).first)
    elif way == "clusters":
        pairs = len(clusters.cluster(rows, THEME))
    return {"seconds": time.perf_counter() - start, "pairs": pairs}


def against_many(way: str, folder: Path, size: int) -> dict[str, Any]:
    """Hold the last ten texts against all others, from the texts on; the whole process counts."""
    lines = (folder / f"{size}.txt").read_text().split("\n")
    old = lines[:-NEW]
    if way == "refit":
        rows = by_sklearn(lines)
        product = rows[-NEW:] @ rows[:-NEW].T
        return {"pairs": int((product.data >= THRESHOLD - 1e-9).sum())}
    from calmkb.kb.search.term_counts import _counted
    from calmkb.reflect.similarity.clusters import cluster_around
    from calmkb.reflect.similarity.join import SLACK
    from calmkb.reflect.similarity.weights import count, unit_rows

    place = folder / f"{size}.counts"
    if way == "keep":
        _counted(place, old)
        return {}
    rows = unit_rows(count(lines) if way == "anew" else _counted(place, lines))
    if way == "around":
        return {"pairs": len(cluster_around(rows, THEME, range(len(old), size), keys=lines))}
    product = rows[-NEW:] @ rows[:-NEW].T
    return {"pairs": int((product.data >= THRESHOLD - SLACK).sum())}


if __name__ == "__main__":
    outcome = work(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps(outcome | {"peak": peak}))
