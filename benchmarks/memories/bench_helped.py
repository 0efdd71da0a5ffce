"""How often "did it help?" is wrong, and how often it sees an effect, of one memory and of several.

    python -m benchmarks.memories.bench_helped

Each theme occurs in a session with a chance of its own. Every fifth session somebody reviews; once
a theme has occurred in `needed` sessions it becomes a memory, and the sessions after that are
compared with those before. Only themes that became memories count: that is the selection bias.
Several memories together are those of one knowledge base, approved as they came.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import product
from typing import Any

import numpy as np

from calmkb.model import Rate
from calmkb.reflect.memories.effectiveness import judge
from calmkb.reflect.memories.rates import LEVEL, Compared, pooled_chance

Counts = list[tuple[Rate, Rate]]
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
"""Themes a setting, and memories below which none is told: too few themes came to be some."""
_TOGETHER, _GROUPS = 20, 100
_judge = cache(judge)


def simulate(
    chance: Callable[[Any, int], Any], *, needed: int, window: Sequence[int], effect: float
) -> Counts:
    """Return the occurrences before and since of each theme that became a memory.

    `effect` multiplies the chance after approval: 1 for no effect.
    """
    first, latest, sessions = window
    rng = np.random.default_rng(7)
    rates = chance(rng, _THEMES)
    met = (rng.random((_THEMES, latest)) < rates[:, None]).cumsum(axis=1)
    approved = np.zeros(_THEMES, int)
    for review in reversed([s for s in range(5, latest + 1, 5) if s >= first]):
        approved[met[:, review - 1] >= needed] = review
    made = np.flatnonzero(approved)
    left = sessions - approved[made]
    since = rng.binomial(left, np.minimum(1, rates[made] * effect))
    before = met[made, approved[made] - 1]
    counts = (column.tolist() for column in (before, approved[made], since, left))
    return [(Rate(k, t), Rate(y, s)) for k, t, y, s in zip(*counts, strict=True)]


def shares(found: Counts, cited: int) -> tuple[float, ...]:
    """Return the shares of "helped" and of "came back", of one memory and of ten together."""
    said = [_judge(before, since, cited=cited).verdict for before, since in found]
    alone = [said.count(name) / len(said) for name in ("helped", "came back more often")]
    compared = [Compared(before, since, before.occurred, cited) for before, since in found]
    pools = [compared[i : i + _TOGETHER] for i in range(0, len(compared), _TOGETHER)][:_GROUPS]
    pools = [pool for pool in pools if len(pool) == _TOGETHER]
    fewer = sum(pooled_chance(pool) < LEVEL for pool in pools)
    back = sum(1 - pooled_chance(pool, spare=False) < LEVEL for pool in pools)
    return (*alone, fewer / len(pools), back / len(pools))


def rows(effect: float) -> Iterator[tuple[str, int, Sequence[int], tuple[float, ...]]]:
    """Yield chance, needed, window and the shares of each setting that made memories."""
    for (name, chance), needed, window in product(CHANCES.items(), (1, 2, 3), WINDOWS):
        found = simulate(chance, needed=needed, window=window, effect=effect)
        if len(found) >= _LEAST:
            yield name, needed, window, shares(found, needed)


def main() -> None:
    """Print a table for each effect: the mean setting's share, and the most."""
    for title, effect in EFFECTS.items():
        print(f"\n{title} (mean of the settings, most of any)\n")
        print("| theme occurs in | helped | came back | twenty: helped | twenty: came back |")
        print("|---|---|---|---|---|")
        known: dict[str, list[tuple[float, ...]]] = {}
        for name, _, _, found in rows(effect):
            known.setdefault(name, []).append(found)
        for name, lines in known.items():
            cells = (
                f"{sum(column) / len(column):.1%}, {max(column):.1%}"
                for column in zip(*lines, strict=True)
            )
            print(f"| {name} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
