"""Average-linkage clusters of sparse vectors, each found in its connected part of near rows.

Two groups whose mean cosine reaches the threshold have a pair of members whose cosine does, so no
group reaches beyond such a part.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from calmkb.reflect.similarity.near import SLACK, near_rows, similarities

MOST = 2_500
"""Rows of a part: a table of their distances takes 50 MB. A larger part is cut where it is thin, at
a cosine that is raised by `_STEP` until the pieces are small enough."""
NEAREST = 100
"""Near rows that are kept of each, the nearest: what has more is deep inside a part."""
_STEP = 0.02

Progress = Callable[[int, int], None]
"""Called with the number of rows done, and of all."""


def cluster(
    vectors: Any,
    threshold: float,
    *,
    keys: Sequence[str] | None = None,
    kinds: Sequence[str] = (),
    across: float = 0.0,
    wanted: Iterable[int] | None = None,
    progress: Progress | None = None,
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
    distinct, found, done = vectors[[rows[0] for rows in same]], [], 0
    kind = numpy.array([kinds[rows[0]] if kinds else "" for rows in same])

    def table_of(part: list[int]) -> Any:
        table = similarities(distinct, part, part)
        table[(kind[part][:, None] != kind[part]) & (table < across)] = 0
        return table

    for part in parts(distinct, threshold, chosen):
        for group in _linked(part, table_of(part), threshold) if part[1:] else [part]:
            rows = sorted(row for number in group for row in same[number])
            # A text without a term is similar to nothing, not even to its like.
            empty = vectors.indptr[rows[0]] == vectors.indptr[rows[0] + 1]
            found += [[row] for row in rows] if empty else [rows]
            done += len(asked.intersection(rows))
        if progress:
            progress(done, len(asked))
    return sorted(group for group in found if not asked.isdisjoint(group))


def closeness(vectors: Any, rows: list[int]) -> list[float]:
    """Return the mean cosine of each of `rows` to all of them, without a table of all pairs."""
    import numpy
    from scipy.sparse import csr_matrix

    chosen = vectors[rows]
    centre = csr_matrix(numpy.asarray(chosen.sum(axis=0)).reshape(1, -1) / len(rows))
    found: list[float] = (chosen @ centre.T).toarray().ravel().tolist()
    return found


def _same_rows(keys: Iterable[Any]) -> list[list[int]]:
    """Return the numbers of rows that have one key, in the order of the keys."""
    same: dict[Any, list[int]] = {}
    for row, key in enumerate(keys):
        same.setdefault(key, []).append(row)
    return [same[key] for key in sorted(same)]


def _linked(rows: list[int], table: Any, threshold: float) -> Iterator[list[int]]:
    """Yield the groups of the rows of one part by the table of their cosines."""
    from sklearn.cluster import AgglomerativeClustering

    if len(rows) < 3:  # most parts are, and the library takes a millisecond for each
        yield from [rows] if table.min() >= threshold - SLACK else ([row] for row in rows)
        return
    maker = AgglomerativeClustering(
        n_clusters=None, metric="precomputed", linkage="average",
        # A hair of slack, so that a mean equal to the threshold is in on every machine.
        distance_threshold=1 - threshold + SLACK,
    )  # fmt: skip
    labels = maker.fit_predict(1 - table)
    for label in range(maker.n_clusters_):
        yield [row for row, own in zip(rows, labels, strict=True) if own == label]


def parts(rows: Any, threshold: float, wanted: Sequence[int]) -> Iterator[list[int]]:
    """Yield the parts that hold one of the `wanted` rows, each in ascending order.

    Only the rows that these parts reach are compared with all others.
    """
    import numpy
    from scipy.sparse.csgraph import connected_components

    graph, level = _Graph(rows, threshold), threshold
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

    def __init__(self, rows: Any, threshold: float) -> None:
        import numpy

        self._rows, self._threshold = rows, threshold
        self.known = numpy.zeros(rows.shape[0], dtype=bool)
        self._edges = [numpy.empty((0, 3))]

    def look_up(self, chosen: Any) -> None:
        """Find what is near to the rows `chosen`."""
        import numpy

        found = near_rows(self._rows[chosen], self._rows, self._threshold)
        for row, (others, cosines) in zip(chosen.tolist(), found, strict=True):
            self._edges.append(
                numpy.column_stack(
                    [numpy.full(len(others[:NEAREST]), row), others[:NEAREST], cosines[:NEAREST]]
                )
            )
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
