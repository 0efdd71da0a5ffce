"""The best sessions of what a search found, and how many turns of each are shown.

An answer is in a session that shares words with the question more than once.
"""

from collections import defaultdict
from collections.abc import Sequence
from heapq import nlargest

from calmkb.wings.archive.turns.search import TurnFound

SECOND = 0.5
"""What the second moment of a session adds to the session, where the first adds 1, and so on."""
_OF_A_SESSION = 5
_LEAST, _MOST = 2, 12
"""Turns of one session that are shown."""


def best_sessions(
    found: Sequence[TurnFound], sessions: int, moments: int, *, apart: bool = True
) -> list[tuple[TurnFound, ...]]:
    """Return the best turns of the best sessions; with `apart` none that a better one shows.

    `found` are best first. A session counts by its five best. There are as many turns as if each
    session had `moments`, but a session whose turns fit better has more of them.
    """
    groups: dict[int, list[TurnFound]] = defaultdict(list)
    shown: set[int] = set()
    for one in found:
        if one.same and one.same in shown:  # a session that was resumed repeats the one before
            continue
        shown.add(one.same)
        group = groups[one.session]
        # Among the words that are shown with another.
        beside = not one.is_tool and any(abs(one.place - other.place) <= 1 for other in group)
        if len(group) < _MOST and not (apart and beside):
            group.append(one)

    def worth(group: Sequence[TurnFound]) -> float:
        return sum(one.score * SECOND**rank for rank, one in enumerate(group[:_OF_A_SESSION]))

    best = sorted(groups.values(), key=lambda group: (-worth(group), group[0].row))[:sessions]
    return _shared(best, sessions * moments)


def _shared(groups: Sequence[Sequence[TurnFound]], most: int) -> list[tuple[TurnFound, ...]]:
    """Return the first turns of each group: `_LEAST` of each, and the best others of all."""
    others = [one for group in groups for one in group[_LEAST:]]
    left = most - sum(min(len(group), _LEAST) for group in groups)
    chosen = {one.row for one in nlargest(left, others, key=lambda one: (one.score, -one.row))}
    return [(*group[:_LEAST], *(one for one in group[_LEAST:] if one.row in chosen))
            for group in map(tuple, groups)]  # fmt: skip
