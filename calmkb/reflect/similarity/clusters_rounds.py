"""Average linkage on pairs alone: what is too large to hold all distances.

The mean cosine of two groups is the dot product of their sums over both sizes, so that it is exact
for any two groups without the cosines of their members; and it is at most the greatest of those, so
that only groups joined by a pair at the threshold need be looked at. Two groups that are nearest to
each other merge in average linkage sooner or later, whatever else does (Murtagh, "A survey of
recent advances in hierarchical clustering algorithms", 1983): all such pairs merge in one round.
"""

from typing import Any

from calmkb.reflect.similarity.join import SLACK, Pairs, Watch, dots, gathered, join

PAIRS = 8_000_000
"""Pairs that are held at a time: some hundred megabytes."""
_STEP = 0.02
DIGITS = 10
"""Means that differ beyond these are equal: sums round differently in another order."""


def gathered_below(
    rows: Any, threshold: float, *, watch: Watch | None = None, most: int | None = None
) -> Pairs | None:
    """Return all pairs of `rows` at `threshold`, or None where there are more than `most`."""
    blocks, total = [], 0
    for block in join(rows, threshold, watch=watch):
        total += len(block.first)
        if total > (PAIRS if most is None else most):
            return None
        blocks.append(block)
    return gathered(blocks)


def merged(rows: Any, sizes: Any, pairs: Pairs, threshold: float) -> Any:
    """Return for each row the first row of its group, by average linkage down to `threshold`.

    `sizes` says how many rows each row stands for; `pairs` are all those at `threshold`.
    """
    import numpy

    graph = _Graph(rows, sizes, pairs)
    leaders = numpy.arange(rows.shape[0])
    while graph.narrowed(threshold):
        kept, gone = graph.nearest_to_each_other()
        leaders[graph.nodes[gone]] = graph.nodes[kept]
        graph.contract(kept, gone)
    return _followed(leaders)


def merged_in_steps(rows: Any, sizes: Any, threshold: float, *, watch: Watch | None = None) -> Any:
    """Return what `merged` does, where the pairs at `threshold` are too many to hold.

    What is most alike merges first in any case, so a higher threshold leaves fewer rows for a lower
    one. Where even the pairs within `_STEP` are too many, some of them go first: of so many
    near-copies it is not said which of the nearly equal merges come first.
    """
    import numpy

    leaders = numpy.arange(rows.shape[0])
    nodes, sums, done = leaders.copy(), _scaled(rows, sizes), 1.0
    while done > threshold:
        centres = _scaled(sums, 1 / sizes)
        level, pairs, whole = _fitting(centres, threshold, done, watch)
        labels = merged(centres, sizes, pairs, level)
        leaders[nodes] = nodes[labels]
        kept, places = numpy.unique(labels, return_inverse=True)
        sums = _summing(places, len(kept)) @ sums
        sizes = numpy.bincount(places, weights=sizes)
        nodes = nodes[kept]
        done = level if whole else done
    return _followed(leaders)


def _fitting(
    rows: Any, threshold: float, done: float, watch: Watch | None
) -> tuple[float, Pairs, bool]:
    """Return a level whose pairs can be held, halfway to `done` as often as need be; the pairs.

    The last says if these are all pairs of the level.
    """
    level = threshold
    while True:
        if (pairs := gathered_below(rows, level, watch=watch)) is not None:
            return level, pairs, True
        if done - level < _STEP:
            return level, _some(rows, level), False
        level = (level + done) / 2


def _some(rows: Any, level: float) -> Pairs:
    """Return the first of the pairs at `level`."""
    held: list[Pairs] = []
    for block in join(rows, level):
        held.append(block)
        if sum(len(part.first) for part in held) > PAIRS:
            break
    return gathered(held)


class _Graph:
    """Groups (their sums, sizes and first rows) and the mean cosines of those that may merge."""

    def __init__(self, rows: Any, sizes: Any, pairs: Pairs) -> None:
        import numpy

        self.nodes = numpy.arange(rows.shape[0])
        self._sums, self._sizes = _scaled(rows, sizes), numpy.asarray(sizes, dtype=float)
        self._first = pairs.first.astype(numpy.int64)
        self._second = pairs.second.astype(numpy.int64)
        self._level = pairs.level.round(DIGITS)

    def narrowed(self, threshold: float) -> bool:
        """Drop the pairs below `threshold` and the groups without a pair; say if any are left."""
        import numpy

        near = self._level >= threshold - SLACK
        first, second = self._first[near], self._second[near]
        kept, places = numpy.unique(numpy.concatenate([first, second]), return_inverse=True)
        self._first, self._second = places[: len(first)], places[len(first) :]
        self._level = self._level[near]
        if len(kept) < len(self.nodes):
            self.nodes, self._sizes = self.nodes[kept], self._sizes[kept]
            self._sums = self._sums[kept]
        return len(first) > 0

    def nearest_to_each_other(self) -> tuple[Any, Any]:
        """Return the pairs of groups each of which is the other's nearest; ties by first rows."""
        import numpy

        count = len(self.nodes)
        best = numpy.zeros(count)
        numpy.maximum.at(best, self._first, self._level)
        numpy.maximum.at(best, self._second, self._level)
        # Only these few can be a group's nearest; sorting all pairs in every round would cost most.
        top = (self._level == best[self._first]) | (self._level == best[self._second])
        first, second, level = self._first[top], self._second[top], self._level[top]
        order = numpy.lexsort((second, first, -level))
        first, second = first[order], second[order]
        places = numpy.arange(len(order))
        chosen = numpy.full(count, len(order))
        numpy.minimum.at(chosen, first, places)
        numpy.minimum.at(chosen, second, places)
        mutual = (chosen[first] == places) & (chosen[second] == places)
        return first[mutual], second[mutual]

    def contract(self, kept: Any, gone: Any) -> None:
        """Merge each group of `gone` into that of `kept`, and renew the means that changes."""
        import numpy

        count = len(self.nodes)
        target = numpy.arange(count)
        target[gone] = kept
        stays = numpy.flatnonzero(target == numpy.arange(count))
        place = numpy.empty(count, dtype=numpy.int64)
        place[stays] = numpy.arange(len(stays))
        place[gone] = place[kept]
        changed = numpy.zeros(len(stays), dtype=bool)
        changed[place[kept]] = True
        self._sums = _summing(place, len(stays)) @ self._sums
        self._sizes = numpy.bincount(place, weights=self._sizes)
        self.nodes = self.nodes[stays]
        self._relink(place, changed)

    def _relink(self, place: Any, changed: Any) -> None:
        import numpy

        one, other = place[self._first], place[self._second]
        first, second = numpy.minimum(one, other), numpy.maximum(one, other)
        apart = first != second
        codes, at = numpy.unique(first[apart] * len(self.nodes) + second[apart], return_index=True)
        self._level = self._level[apart][at]
        self._first, self._second = codes // len(self.nodes), codes % len(self.nodes)
        rebuild = numpy.flatnonzero(changed[self._first] | changed[self._second])
        first, second = self._first[rebuild], self._second[rebuild]
        products = dots(self._sums, self._sums, first, second)
        means = products / (self._sizes[first] * self._sizes[second])
        self._level[rebuild] = means.round(DIGITS)


def _scaled(rows: Any, factors: Any) -> Any:
    import numpy

    made = rows.copy()
    made.data = rows.data * numpy.repeat(factors, numpy.diff(rows.indptr))
    return made


def _summing(places: Any, count: int) -> Any:
    """Return the matrix that adds up the rows with the same place."""
    import numpy
    from scipy.sparse import csr_matrix

    total = len(places)
    made = (numpy.ones(total), (places, numpy.arange(total)))
    return csr_matrix(made, shape=(count, total))


def _followed(leaders: Any) -> Any:
    """Return each row's last leader: leaders have leaders, all of them earlier rows."""
    while True:
        further = leaders[leaders]
        if (further == leaders).all():
            return leaders
        leaders = further
