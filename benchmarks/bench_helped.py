"""How often "did it help?" is wrong: memories without any effect, and with one.

    python -m benchmarks.bench_helped

Each theme occurs in a session with a chance of its own. Every fifth session somebody reviews; once
a theme has occurred in `needed` sessions it becomes a memory, and the sessions after that are
compared with those before. Only themes that became memories count: that is the selection bias.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache

from calmkb.model import Helping, Rate
from calmkb.reflect.memories.effectiveness import judge

_judge = cache(judge)
Chance = Callable[[random.Random], float]
CHANCES: dict[str, Chance] = {
    "0.3 to 30 % of sessions, log-uniform": lambda rng: 0.003 * 100 ** rng.random(),
    "1 % of sessions": lambda _: 0.01,
    "5 % of sessions": lambda _: 0.05,
    "20 % of sessions": lambda _: 0.2,
}
WINDOWS = ((5, 20, 60), (5, 20, 200), (5, 60, 200), (60, 60, 160))
"""(session of the first review, of the last, sessions in all); the fourth takes over a history."""


def simulate(
    rng: random.Random,
    chance: Chance,
    *,
    needed: int,
    first: int,
    latest: int,
    sessions: int,
    effect: float,
) -> Helping | None:
    """Return what is said of one theme's memory; None where it became none.

    `effect` multiplies the chance after approval: 1 for no effect.
    """
    rate, before = chance(rng), 0
    for session in range(1, latest + 1):
        before += rng.random() < rate
        if session >= first and session % 5 == 0 and before >= needed:
            left = sessions - session
            since = sum(rng.random() < rate * effect for _ in range(left))
            return _judge(Rate(before, session), Rate(since, left))
    return None


def shares(
    chance: Chance, *, seed: int, themes: int, effect: float, **rule: int
) -> tuple[int, Counter[str]]:
    """Return how many of `themes` became memories, and the verdicts on those."""
    rng = random.Random(seed)
    said = [simulate(rng, chance, effect=effect, **rule) for _ in range(themes)]
    made = [item.verdict for item in said if item]
    return len(made), Counter(made)


def rows(themes: int, effect: float) -> Iterator[tuple[str, int, int, int, int, int, float, float]]:
    """Yield chance, needed, the window, memories, and shares of helped and of came back."""
    for name, chance in CHANCES.items():
        for needed in (1, 2, 3):
            for first, latest, sessions in WINDOWS:
                made, said = shares(
                    chance, seed=7, themes=themes, effect=effect,
                    needed=needed, first=first, latest=latest, sessions=sessions,
                )  # fmt: skip
                total = max(made, 1)
                yield (name, needed, first, latest, sessions, made,
                       said["helped"] / total, said["came back more often"] / total)  # fmt: skip


def main() -> None:
    """Print both tables."""
    for effect, title in ((1.0, "no effect"), (0.2, "a fifth as often afterwards")):
        heads = "needs  from  until   of   memories  helped  came back"
        print(f"\n{title}\n{'theme occurs in':38} {heads}")
        for name, needed, first, latest, sessions, made, helped, back in rows(6_000, effect):
            print(f"{name:38} {needed:5} {first:5} {latest:6} {sessions:4} {made:9} "
                  f"{helped:7.1%} {back:9.1%}")  # fmt: skip


if __name__ == "__main__":
    main()
