"""Of many rows, those that can be among the nearest of a row: by rare terms, exactly (see `near`).

What the best by rare terms come to on all terms is a level that the nearest reach. A row is
compared only to those that can reach it.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from calmkb.reflect.similarity.join import SLACK, blocks, dots
from calmkb.reflect.similarity.near import Split, common_terms

_PROBES = 200
"""So many of the best by rare terms are looked at whole."""

Found = tuple[Any, Any, Any]
"""Rows, columns and cosines."""


class Candidates:
    """Candidates for the `number` nearest of each of `rows` among `others`, from `floor` up."""

    def __init__(self, rows: Any, others: Any, number: int, floor: float) -> None:
        self._rows, self._others, self._number, self._floor = rows, others, number, floor
        common = common_terms(others)
        self._mine, self._theirs = Split(rows, common), Split(others, common)
        self._longest = self._theirs.lengths.max(initial=0.0)
        self._turned = self._theirs.rare.T.tocsr()

    def blocks(self, most: int) -> Iterator[tuple[int, int]]:
        """Yield (start, end) of rows whose products have at most so many entries."""
        return blocks(self._mine.rare, self._theirs.rare, most)

    def between(self, start: int, end: int) -> tuple[Found, Any]:
        """Return the candidates of these rows, and the rows of which all others are candidates."""
        import numpy

        product = self._mine.rare[start:end] @ self._turned
        lengths, levels = self._mine.lengths[start:end], self._levels(product, start)
        whole = lengths * self._longest >= levels
        levels[whole] = numpy.inf
        counts = numpy.diff(product.indptr)
        most = product.data + numpy.repeat(lengths, counts) * self._theirs.lengths[product.indices]
        kept = numpy.flatnonzero(most >= numpy.repeat(levels, counts))
        first, second = start + _rows_of(product, kept), product.indices[kept]
        cosines = dots(self._rows, self._others, first, second)
        near = cosines >= self._floor
        return (first[near], second[near], cosines[near]), start + numpy.flatnonzero(whole)

    def _levels(self, product: Any, start: int) -> Any:
        """Return for each row what its nearest reach for certain, or the floor."""
        import numpy

        best = _best(product, max(_PROBES, self._number))
        of = _rows_of(product, best)
        cosines = dots(self._rows, self._others, start + of, product.indices[best])
        order = numpy.lexsort((-cosines, of))
        of, cosines = of[order], cosines[order]
        last = numpy.arange(len(of)) - numpy.searchsorted(of, of) == self._number - 1
        levels = numpy.full(product.shape[0], self._floor)
        levels[of[last]] = numpy.maximum(cosines[last], self._floor)
        return levels - 2 * SLACK


def _best(product: Any, number: int) -> Any:
    """Return where the `number` greatest entries of each row are."""
    import numpy

    found = []
    for start, end in pairwise(product.indptr.tolist()):
        part = product.data[start:end]
        if len(part) > number:
            found.append(start + numpy.argpartition(part, -number)[-number:])
        else:
            found.append(numpy.arange(start, end))
    return numpy.concatenate(found)


def _rows_of(product: Any, entries: Any) -> Any:
    import numpy

    return numpy.searchsorted(product.indptr, entries, side="right") - 1
