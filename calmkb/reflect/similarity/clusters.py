"""Average-linkage clusters of sparse vectors, each found in its connected part of near rows.

Two groups whose mean cosine reaches the threshold have a pair of members whose cosine does, so no
group reaches beyond such a part.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from calmkb.reflect.similarity.near import SLACK, near_pairs, tables

MOST = 2_500
"""Rows of a part: a table of their distances takes 50 MB. A larger part is cut where it is thin, at
a cosine that is raised by `_STEP` until the pieces are small enough."""
NEAREST = 100  # near rows that are kept of each, the nearest: what has more is deep inside a part
_STEP = 0.02


def cluster(
    vectors: Any,
    threshold: float,
    *,
    keys: Sequence[str] | None = None,
    kinds: Sequence[str] = (),
    across: float = 0.0,
    wanted: Iterable[int] | None = None,
) -> list[list[int]]:
    """Return groups of row numbers whose mean cosine is at least `threshold`.

    The cosine of rows of two `kinds` counts only where it is `across` or more.
    With `wanted`, only the groups that hold one of these rows. Rows are in ascending order in each
    group, groups in that of their first row. With `keys` (the texts), rows of one key count once,
    and their order breaks ties, so that the groups are the same in whatever order the rows come.
    """
    import numpy

    same = _same_rows(keys if keys is not None else range(vectors.shape[0]))
    asked = set(range(vectors.shape[0]) if wanted is None else wanted)
    chosen = [number for number, rows in enumerate(same) if not asked.isdisjoint(rows)]
    distinct, found = vectors[[rows[0] for rows in same]], []
    _, kind = numpy.unique([kinds[rows[0]] if kinds else "" for rows in same], return_inverse=True)
    every = list(parts(distinct, threshold, chosen, kind, across))
    groups, several = [part for part in every if not part[1:]], [one for one in every if one[1:]]
    ordered = distinct[numpy.concatenate([numpy.empty(0, int), *several])]
    for part, cosines in zip(several, tables(ordered, map(len, several)), strict=True):
        cosines[(kind[part][:, None] != kind[part]) & (cosines < across)] = 0
        groups += _linked(part, cosines, threshold)
    for group in groups:
        rows = sorted(row for number in group for row in same[number])
        # A text without a term is similar to nothing, not even to its like.
        empty = vectors.indptr[rows[0]] == vectors.indptr[rows[0] + 1]
        found += [[row] for row in rows] if empty else [rows]
    return sorted(group for group in found if not asked.isdisjoint(group))


def closeness(vectors: Any, groups: Sequence[Sequence[int]]) -> list[list[float]]:
    """Return for each group of rows the mean cosine of each to all of them."""
    import numpy

    if not groups:
        return []
    sizes = numpy.array([len(rows) for rows in groups])
    chosen = vectors[numpy.concatenate(groups)]
    row_of = numpy.repeat(numpy.arange(chosen.shape[0]), numpy.diff(chosen.indptr))
    group_of = numpy.repeat(numpy.arange(len(groups)), sizes)
    terms = group_of[row_of] * chosen.shape[1] + chosen.indices  # each group's own
    _, places = numpy.unique(terms, return_inverse=True)
    shares = chosen.data * numpy.bincount(places, chosen.data)[places]
    means = numpy.bincount(row_of, shares, minlength=len(group_of)) / sizes[group_of]
    return [part.tolist() for part in numpy.split(means, numpy.cumsum(sizes)[:-1])]


def _same_rows(keys: Iterable[Any]) -> list[list[int]]:
    """Return the numbers of rows that have one key, in the order of the keys."""
    same: dict[Any, list[int]] = {}
    for row, key in enumerate(keys):
        same.setdefault(key, []).append(row)
    return [same[key] for key in sorted(same)]


def _linked(rows: list[int], table: Any, threshold: float) -> Iterator[list[int]]:
    """Yield the groups of the rows of one part by the table of their cosines."""
    from sklearn.cluster import AgglomerativeClustering

    whole = table.min() >= threshold - SLACK
    if whole or len(rows) < 3:  # most are, and the library takes a millisecond for each
        yield from [rows] if whole else ([row] for row in rows)
        return
    maker = AgglomerativeClustering(
        n_clusters=None, metric="precomputed", linkage="average",
        # A hair of slack, so that a mean equal to the threshold is in on every machine.
        distance_threshold=1 - threshold + SLACK,
    )  # fmt: skip
    labels = maker.fit_predict(1 - table)
    for label in range(maker.n_clusters_):
        yield [row for row, own in zip(rows, labels, strict=True) if own == label]


def parts(
    rows: Any, threshold: float, wanted: Sequence[int], kind: Any, across: float
) -> Iterator[list[int]]:
    """Yield the parts that hold one of the `wanted` rows, each in ascending order.

    Only the rows that these parts reach are compared with all others.
    """
    import numpy
    from scipy.sparse.csgraph import connected_components

    graph, level = _Graph(rows, threshold, kind, across), threshold
    left = numpy.unique(numpy.array(wanted, dtype=int))
    while len(left):
        _, labels = connected_components(graph.at(level), directed=False)
        small = numpy.bincount(labels)[labels] <= MOST
        here = small & numpy.isin(labels, labels[left])
        if (here & ~graph.known).any():
            graph.look_up(numpy.flatnonzero(here & ~graph.known))
            continue
        order = numpy.flatnonzero(here)
        order = order[numpy.argsort(labels[order], kind="stable")]
        ends = numpy.flatnonzero(numpy.diff(labels[order])) + 1
        yield from (part.tolist() for part in numpy.split(order, ends) if len(part))
        left, level = left[~small[left]], level + _STEP


class _Graph:
    """Which rows are near to those that were looked up."""

    def __init__(self, rows: Any, threshold: float, kind: Any, across: float) -> None:
        import numpy

        self._rows, self._threshold, self._kind, self._across = rows, threshold, kind, across
        self.known = numpy.zeros(rows.shape[0], dtype=bool)
        self._edges = [numpy.empty((0, 3))]

    def look_up(self, chosen: Any) -> None:
        """Find what is near to the rows `chosen`."""
        import numpy

        for ones, others, cosines in near_pairs(self._rows[chosen], self._rows, self._threshold):
            same = self._kind[chosen[ones]] == self._kind[others]
            edges = numpy.column_stack([chosen[ones], others, cosines])
            edges = edges[same | (cosines >= self._across)]
            edges = edges[numpy.lexsort((-edges[:, 2], edges[:, 0]))]
            rank = numpy.arange(len(edges)) - numpy.searchsorted(edges[:, 0], edges[:, 0])
            self._edges.append(edges[rank < NEAREST])
        self.known[chosen] = True
        self._edges = [numpy.concatenate(self._edges)]

    def at(self, level: float) -> Any:
        """Return the graph of those whose cosine is `level` at least."""
        from scipy.sparse import csr_matrix

        count = len(self.known)
        ones, others, cosines = self._edges[0].T
        kept = cosines >= level - SLACK
        places = (ones[kept].astype(int), others[kept].astype(int))
        return csr_matrix((cosines[kept], places), shape=(count, count))
