"""Pairs of near texts: `near_pairs` beside scikit-learn's `NearestNeighbors`, processor seconds.

Both have 24 MB of working memory and must find the same pairs. `run.py near SIZE…` takes other
numbers of sessions.
"""

import sys
import time
from typing import Any

from generator import entry
from sklearn import config_context
from sklearn.neighbors import NearestNeighbors

from calmkb.reflect.similarity.methods import TFIDF
from calmkb.reflect.similarity.near import SLACK, near_pairs
from calmkb.reflect.similarity.vectors import vectorise

SIZES = (1_000, 5_000)


def main() -> None:
    """Print a row for each number of sessions, two friction points each."""
    print(
        "| texts | pairs | `NearestNeighbors`, s | `near_pairs`, s | ratio |\n|---|---|---|---|---|"
    )
    for size in [int(word) for word in sys.argv[2:] if word.isdigit()] or SIZES:
        rows = vectorise([t for n in range(size) for t in entry(n, size).friction_points])
        (pairs, plain), (same, own) = timed(by_library, rows), timed(by_blocks, rows)
        assert pairs == same, (pairs, same)
        print(f"| {2 * size:,} | {pairs:,} | {plain:.2f} | {own:.2f} | {own / plain:.2f} |")


def by_library(rows: Any) -> int:
    """Return how many pairs `NearestNeighbors` finds."""
    finder = NearestNeighbors(metric="cosine", algorithm="brute", radius=1 - TFIDF.theme + SLACK)
    with config_context(working_memory=24):
        return sum(map(len, finder.fit(rows).radius_neighbors(rows, return_distance=False)))


def by_blocks(rows: Any) -> int:
    """Return how many pairs calmkb finds."""
    return sum(len(cosines) for *_, cosines in near_pairs(rows, rows, TFIDF.theme))


def timed(count: Any, rows: Any) -> tuple[int, float]:
    """Return what `count` returns and the processor seconds it takes."""
    start = time.process_time()
    return count(rows), time.process_time() - start


if __name__ == "__main__":
    main()
