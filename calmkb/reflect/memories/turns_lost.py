"""Does a trouble that still comes up cost fewer turns than it did?"""

from collections import Counter
from collections.abc import Sequence

from calmkb.model.memories.backtest import Occurrence
from calmkb.model.memories.turns_lost import TurnsLost

_MOST = 40
"""Sessions of which the latest are compared: the exact chance takes longer with each."""


def turns_lost(before: Sequence[Occurrence], since: Sequence[Occurrence]) -> TurnsLost:
    """Return the turns that sessions lost, and how likely so few since are by chance."""
    early, late = (
        tuple(one.cost.turns for one in met if one.cost)[-_MOST:] for met in (before, since)
    )
    return TurnsLost(early, late, chance_of_fewer(early, late) if early and late else None)


def chance_of_fewer(before: Sequence[int], since: Sequence[int]) -> float:
    """Return the share of all ways to draw `since` of both in which it ranks as low, 0 to 1.

    The exact rank-sum test (Wilcoxon 1945) with midranks, so one session that took for ever counts
    as one. With four on each side the lowest possible is 1 in 70.
    """
    both = sorted([*before, *since])
    # Twice the midrank is a whole number, so that sums can be counted.
    doubled = {value: 2 * both.index(value) + both.count(value) + 1 for value in both}
    ways: list[Counter[int]] = [Counter() for _ in range(len(since) + 1)]
    ways[0][0] = 1
    for rank in (doubled[value] for value in both):
        for drawn in range(len(since), 0, -1):
            for total, count in list(ways[drawn - 1].items()):
                ways[drawn][total + rank] += count
    reached = sum(doubled[value] for value in since)
    low = sum(count for total, count in ways[-1].items() if total <= reached)
    return low / sum(ways[-1].values())
