"""The connected parts of the graph of near rows, none of them larger than a table can hold."""

from collections.abc import Iterator, Sequence
from typing import Any

from calmkb.reflect.similarity.near import SLACK, near_rows

MOST = 2_500
"""Rows of a part: a table of their distances takes 50 MB. A larger part is cut where it is thin, at
a cosine that is raised by `_STEP` until the pieces are small enough."""
NEAREST = 100
"""Near rows that are kept of each, the nearest: what has more is deep inside a part."""
_STEP = 0.02


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
