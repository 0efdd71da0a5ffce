"""Themes of friction: found anew, and after one more session with what was settled kept.

The statements are those of the generator's sessions, two a session. The baseline is scikit-learn's
TfidfVectorizer on the same texts with every cosine and a sort of each row: one of the five views
that themes take. `run.py themes SIZE…` measures other numbers of sessions, `whole` lets all texts
vote instead of a window (minutes, from 5,000 sessions on).
"""

import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

from generator import entry

from calmkb.model import SessionView, Theme
from calmkb.reflect import theme_groups, theme_homes
from calmkb.reflect.statements import Statement, statements_of
from calmkb.reflect.theme_memo import Groups
from calmkb.reflect.themes import themes

SIZES = (1_000, 10_000)
BLOCK = 1_000
NEIGHBOURS = 12
GOALS = {1_000: (1.0, 0.5), 10_000: (8.0, 0.5)}
"""Seconds on the reference machine: found anew, and after one more session."""


def main() -> None:
    """Print a table of seconds and of ratios to the baseline of the same run."""
    sizes = [int(word) for word in sys.argv[1:] if word.isdigit()] or list(SIZES)
    if "whole" in sys.argv[1:]:
        theme_groups.WINDOW = theme_homes.WINDOW = max(sizes) * 3
    themes(said(50), [])  # what is imported on first use
    print("| what | sessions | statements | s | of the baseline | goal, s | themes, recurring |")
    print("|---|---|---|---|---|---|---|")
    for size in sizes:
        measure(size)


def measure(size: int) -> None:
    """Print the rows of one number of sessions; what is kept must change nothing."""
    before, after = said(size - 1, size), said(size)
    anew, later = GOALS.get(size, (None, None))
    base, _ = timed(lambda: by_sort([one.text for one in after if one.friction]))
    row("scikit-learn, all cosines sorted", size, after, base)
    memo: dict[str, Groups] = {}
    spent, _ = timed(lambda: themes(before, [], memo=memo))
    row("themes anew", size - 1, before, spent, base=base, goal=anew)
    spent, kept = timed(lambda: themes(after, [], memo=memo))
    row("one more session, the settled kept", size, after, spent, kept, base=base, goal=later)
    spent, found = timed(lambda: themes(after, []))
    row("the same with nothing kept", size, after, spent, found, base=base, goal=anew)
    assert kept == found, "what was kept changed the themes"


def said(count: int, total: int = 0) -> list[Statement]:
    """Return what the first `count` of the generator's `total` sessions say."""
    return statements_of(SessionView(entry=entry(n, total or count)) for n in range(count))


def by_sort(texts: Sequence[str]) -> None:
    """Find the nearest texts of each with scikit-learn's vectors."""
    import numpy
    from sklearn.feature_extraction.text import TfidfVectorizer

    rows: Any = TfidfVectorizer().fit_transform(texts).tocsr()
    for start in range(0, len(texts), BLOCK):
        block = (rows[start : start + BLOCK] @ rows.T).toarray()
        numpy.argsort(-block, axis=1, kind="stable")[:, :NEIGHBOURS]


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """Return how many seconds `work` took, and what it gave."""
    start = time.perf_counter()
    found = work()
    return time.perf_counter() - start, found


def row(
    what: str, size: int, statements: Sequence[Statement], spent: float,
    found: Sequence[Theme] = (), *, base: float | None = None, goal: float | None = None,
) -> None:  # fmt: skip
    """Print a row; a goal that is missed is marked."""
    ratio = f"{spent / base:.2f}" if base else ""
    wanted = f"≤ {goal:g}{' (missed)' if spent > goal else ''}" if goal else ""
    shown = f"{len(found)}, {sum(one.sessions > 1 for one in found)}" if found else ""
    friction = sum(one.friction for one in statements)
    print(f"| {what} | {size:,} | {friction:,} | {spent:.2f} | {ratio} | {wanted} | {shown} |",
          flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
