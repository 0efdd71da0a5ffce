"""The rows similar to one row, found without the terms that most rows share.

Terms are split into rare and common ones, and each row x into two parts by them. No dot product
exceeds the product of the lengths, so

    x.y <= rare(x).rare(y) + |common(x)| * |common(y)|

and only rows where this reaches the threshold need be compared on all terms. In a large journal
some dozens of words make nine tenths of all products.
"""

from collections.abc import Iterator
from typing import Any

SLACK = 1e-9
"""A cosine that is equal to the threshold but for rounding is in, on every machine."""
_COMMON = 20
"""A term is common that more than one in so many rows have."""
_CELLS = 2_000_000
"""Similarities held at once: 24 MB."""


class Near:
    """The rows whose dot product with one of them reaches a threshold."""

    def __init__(self, rows: Any, threshold: float) -> None:
        import numpy
        from scipy.sparse import csr_matrix

        self._rows, self._threshold = rows, threshold - SLACK
        count, width = rows.shape
        common = (numpy.bincount(rows.indices, minlength=width) * _COMMON > count)[rows.indices]
        bounds = numpy.concatenate([[0], numpy.cumsum(~common)])[rows.indptr]
        kept = (rows.data[~common], rows.indices[~common], bounds)
        self._rare = csr_matrix(kept, shape=rows.shape)
        self._columns = self._rare.T.tocsr()
        row_of = numpy.repeat(numpy.arange(count), numpy.diff(rows.indptr))[common]
        squares = numpy.bincount(row_of, weights=rows.data[common] ** 2, minlength=count)
        self._lengths = numpy.sqrt(squares)  # of each row's common part
        self._total = numpy.zeros(width)

    def of(self, row: int) -> tuple[Any, Any]:
        """Return these rows for `row`, ascending, and the products."""
        import numpy

        bounds = self._threshold - SLACK - self._lengths[row] * self._lengths
        found = numpy.flatnonzero(self._rare_products(row) >= bounds)
        levels = self.dots([row], numpy.ones(1), found)
        near = levels >= self._threshold
        return found[near], levels[near]

    def dots(self, rows: Any, factors: Any, others: Any) -> Any:
        """Return the dot product of the sum of `rows`, each times its factor, with each other."""
        import numpy

        terms, weights, of = self._terms_of(numpy.asarray(rows))
        numpy.add.at(self._total, terms, weights * factors[of])
        columns, other_weights, places = self._terms_of(others)
        products = other_weights * self._total[columns]
        self._total[terms] = 0
        return numpy.bincount(places, weights=products, minlength=len(others))

    def _terms_of(self, rows: Any) -> tuple[Any, Any, Any]:
        """Return the columns and weights of some rows, and for each the place of its row in them.

        Written out, because indexing a sparse matrix costs more than a few dozen short rows do.
        """
        import numpy

        starts = self._rows.indptr[rows]
        lengths = self._rows.indptr[rows + 1] - starts
        ends = numpy.cumsum(lengths)
        at = numpy.repeat(starts - ends + lengths, lengths) + numpy.arange(lengths.sum())
        of = numpy.repeat(numpy.arange(len(rows)), lengths)
        return self._rows.indices[at], self._rows.data[at], of

    def _rare_products(self, row: int) -> Any:
        """Return the dot product of the rare terms of `row` with those of each row."""
        import numpy

        starts, rows, weights = self._columns.indptr, self._columns.indices, self._columns.data
        sums = numpy.zeros(self._rows.shape[0])
        own = slice(self._rare.indptr[row], self._rare.indptr[row + 1])
        # Term by term into an array: a sparse product would first make a list of what it adds.
        for term, weight in zip(self._rare.indices[own], self._rare.data[own], strict=True):
            part = slice(starts[term], starts[term + 1])
            sums[rows[part]] += weight * weights[part]
        return sums


def similar_pairs(rows: Any, others: Any, threshold: float) -> Iterator[tuple[int, int, float]]:
    """Yield (row, other, cosine) where the cosine is at least `threshold`, by row and other.

    Both are sparse matrices with rows of length 1 or 0.
    """
    import numpy

    columns = others.T.tocsr()
    step = max(1, _CELLS // max(1, others.shape[0]))
    for start in range(0, rows.shape[0], step):
        product = (rows[start : start + step] @ columns).tocsr()
        product.sort_indices()
        kept = numpy.flatnonzero(product.data >= threshold - SLACK)
        first = start + numpy.searchsorted(product.indptr, kept, side="right") - 1
        levels = product.data[kept].clip(0, 1)
        yield from zip(first.tolist(), product.indices[kept].tolist(), levels.tolist(), strict=True)
