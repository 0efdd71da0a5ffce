"""Which theme takes in a text that had no vote: the one that most of its neighbours are of.

A vote among the nearest, weighed by similarity (Dudani, "The distance-weighted k-nearest-neighbor
rule", 1976), which suits communities that such neighbourhoods made; a theme's mean is a worse judge
of a theme of many corners.
"""

from collections.abc import Sequence
from typing import Any

from calmkb.reflect.similarity.base import Method
from calmkb.reflect.similarity.clusters import cluster
from calmkb.reflect.similarity.join import SLACK
from calmkb.reflect.similarity.nearest import nearest
from calmkb.reflect.themes.communities import FLOOR
from calmkb.reflect.themes.memo import Groups

NEIGHBOURS = 5
SHARE = 0.4
"""Of the votes of all its neighbours, what a theme needs to take a text in."""
WINDOW = 3_500
"""Texts that vote, the newest; what a vote costs grows with the themes, not with the journal."""
_OF_EACH = 5
"""Of a theme that has left the window, so many still vote."""
NEAR = 0.5
"""Of `method.theme`, how like a text its nearest neighbour must be: communities are wide."""


def homes(
    texts: Sequence[str], groups: Groups, newcomers: Sequence[int], method: Method
) -> tuple[Groups, Groups]:
    """Return the newcomers that each of `groups` takes in, and groups of those that none does.

    All are row numbers of `texts`, the later the newer. A text that is like nothing, or between
    themes, is taken in by none.
    """
    import numpy

    taken: Groups = [[] for _ in groups]
    if not newcomers:
        return taken, []
    since = max((row for rows in groups for row in rows), default=0) - WINDOW
    voting = [_voting(rows, since) for rows in groups]
    voters = [row for rows in voting for row in rows]
    group_of = numpy.repeat(numpy.arange(len(voting)), [len(rows) for rows in voting])
    vectors = method.vectors([texts[row] for row in (*voters, *newcomers)])
    found, known = vectors[len(voters) :], vectors[: len(voters)]
    elected = _elected(found, known, group_of, NEAR * method.theme)
    rest = [place for place, home in enumerate(elected) if home < 0]
    for row, home in zip(newcomers, elected, strict=True):
        if home >= 0:
            taken[home].append(row)
    alone = cluster(found[rest], method.theme) if rest else []
    return taken, [[newcomers[rest[place]] for place in places] for places in alone]


def _voting(rows: Sequence[int], since: int) -> list[int]:
    ordered = sorted(rows)
    return [row for row in ordered[:-_OF_EACH] if row > since] + ordered[-_OF_EACH:]


def _elected(rows: Any, voters: Any, group_of: Any, level: float) -> list[int]:
    """Return the group that the neighbours of each row elect, -1 where they elect none."""
    import numpy

    near, cosines = nearest(rows, voters, NEIGHBOURS, floor=min(FLOOR, level) - SLACK)
    if not near.size:
        return [-1] * rows.shape[0]
    votes = numpy.where(cosines >= FLOOR, cosines, 0.0)
    of = group_of[near]
    # For each neighbour, the votes of all those that are of its group.
    together = ((of[:, :, None] == of[:, None, :]) * votes[:, None, :]).sum(axis=2)
    # Rounded, so that the nearest one decides between equals on every machine.
    best = together.round(9).argmax(axis=1)
    every = numpy.arange(len(best))
    won = (cosines[:, 0] >= level - SLACK) & (
        together[every, best] >= SHARE * votes.sum(axis=1) - SLACK
    )
    found: list[int] = numpy.where(won, of[every, best], -1).tolist()
    return found
