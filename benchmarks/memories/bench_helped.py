"""How often a memory without effect looks as if it had one, and how often an effect is seen.

    python -m benchmarks.memories.bench_helped

Each trouble occurs in a session with a chance of its own. Every fifth session somebody reviews;
once a trouble occurred in `needed` sessions it becomes a memory that cites these, and the sessions
after that are compared with those between the first occurrence and the review. Only troubles that
became memories count: that is the selection bias. A chance below 5 % looks like an effect.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import product
from typing import Any

import numpy as np

from calmkb.model.memories.backtest import LEAST_SESSIONS, chance_of_fewer

CHANCES: dict[str, Callable[[Any, int], Any]] = {
    "0.3 to 30 %, log-uniform": lambda rng, n: 0.003 * 100 ** rng.random(n),
    "0.3 to 30 %, Zipf's law": lambda rng, n: 1 / (1 / 0.3 + rng.random(n) * (1 / 0.003 - 1 / 0.3)),
    "1 % of sessions": lambda _, n: np.full(n, 0.01),
    "5 % of sessions": lambda _, n: np.full(n, 0.05),
    "10 % of sessions": lambda _, n: np.full(n, 0.1),
    "20 % of sessions": lambda _, n: np.full(n, 0.2),
}
WINDOWS = ((5, 20, 60), (5, 20, 200), (5, 60, 200), (5, 150, 150), (60, 60, 160))
"""(session of the first review, of the last, sessions in all); the fifth takes over a history."""
EFFECTS = {"no effect": 1.0, "a fifth as often": 0.2, "never again": 0.0, "twice as often": 2.0}
_THEMES, _LEAST = 6_000, 100
"""Troubles a setting, and memories below which none is told: too few troubles came to be some."""
_LEVEL = 0.05
_chance = cache(chance_of_fewer)
Counts = list[tuple[int, int, int, int]]


def simulate(
    chance: Callable[[Any, int], Any], *, needed: int, window: Sequence[int], effect: float
) -> Counts:
    """Return the hits before and since, each of how many sessions, of what became a memory.

    Before are those beyond the cited ones. `effect` multiplies the chance after the approval.
    """
    first, latest, sessions = window
    rng = np.random.default_rng(7)
    rates = chance(rng, _THEMES)
    hits = rng.random((_THEMES, latest)) < rates[:, None]
    met = hits.cumsum(axis=1)
    approved = np.zeros(_THEMES, int)
    for review in reversed([s for s in range(5, latest + 1, 5) if s >= first]):
        approved[met[:, review - 1] >= needed] = review
    made = np.flatnonzero(approved)
    left = sessions - approved[made]
    since = rng.binomial(left, np.minimum(1, rates[made] * effect))
    beyond = met[made, approved[made] - 1] - needed
    later = approved[made] - hits[made].argmax(axis=1) - 1
    columns = (column.tolist() for column in (beyond, later, since, left))
    return list(zip(*columns, strict=True))


def shares(found: Counts) -> tuple[float, ...]:
    """Return the shares that look like an effect, that were hit again, and that were not."""
    fewer = sum(bool(hit) and _chance(hit, of, again, left) < _LEVEL
                for hit, of, again, left in found)  # fmt: skip
    again = sum(hits > 0 for _, _, hits, _ in found)
    silent = sum(not hits and left >= LEAST_SESSIONS for _, _, hits, left in found)
    return fewer / len(found), again / len(found), silent / len(found)


def rows(effect: float) -> Iterator[tuple[str, tuple[float, ...]]]:
    """Yield chance and the shares of each setting that made memories."""
    for (name, chance), needed, window in product(CHANCES.items(), (1, 2, 3), WINDOWS):
        found = simulate(chance, needed=needed, window=window, effect=effect)
        if len(found) >= _LEAST:
            yield name, shares(found)


def main() -> None:
    """Print a table for each effect: the mean setting's share, and the most."""
    for title, effect in EFFECTS.items():
        print(f"\n{title} (mean of the settings, most of any)\n")
        print("| trouble occurs in | chance below 5 % | hit again | not hit since |")
        print("|---|---|---|---|")
        known: dict[str, list[tuple[float, ...]]] = {}
        for name, found in rows(effect):
            known.setdefault(name, []).append(found)
        for name, lines in known.items():
            cells = (
                f"{sum(column) / len(column):.1%}, {max(column):.1%}"
                for column in zip(*lines, strict=True)
            )
            print(f"| {name} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
