"""The rows that are alike to one row, found without the terms that most rows share.

Terms are split into rare and common ones, and each row x into two parts by them. No dot product
exceeds the product of the lengths, so

    x.y <= rare(x).rare(y) + |common(x)| * |common(y)|

and only rows where this reaches what is asked for need be looked at whole. In a large journal some
dozens of words make nine tenths of all products.
"""

from typing import Any

from calmkb.reflect.similarity.join import SLACK

_COMMON = 20
"""A term is common that more than one in so many rows have."""


class Split:
    """Sparse rows reduced to their rare terms, and the length of each row's common part."""

    def __init__(self, rows: Any, common: Any) -> None:
        import numpy
        from scipy.sparse import csr_matrix

        left_out = common[rows.indices]
        kept = ~left_out
        bounds = numpy.concatenate([[0], numpy.cumsum(kept)])[rows.indptr]
        self.rare = csr_matrix((rows.data[kept], rows.indices[kept], bounds), shape=rows.shape)
        of = numpy.repeat(numpy.arange(rows.shape[0]), numpy.diff(rows.indptr))[left_out]
        squares = rows.data[left_out] ** 2
        self.lengths = numpy.sqrt(numpy.bincount(of, weights=squares, minlength=rows.shape[0]))


class Near:
    """The rows whose dot product with one of them reaches a threshold."""

    def __init__(self, rows: Any, threshold: float) -> None:
        import numpy

        self._rows, self._threshold = rows, threshold - SLACK
        split = Split(rows, common_terms(rows))
        self._rare, self._lengths = split.rare, split.lengths
        self._turned = split.rare.T.tocsr()
        self._total = numpy.zeros(rows.shape[1])

    def of(self, row: int) -> tuple[Any, Any]:
        """Return these rows for `row`, ascending, and the products."""
        import numpy

        bounds = self._threshold - SLACK - self._lengths[row] * self._lengths
        found = numpy.flatnonzero(self._shared(row) >= bounds)
        levels = self.dots([row], numpy.ones(1), found)
        near = levels >= self._threshold
        return found[near], levels[near]

    def dots(self, rows: Any, factors: Any, others: Any) -> Any:
        """Return the dot product of the sum of `rows`, each times its factor, with each other."""
        import numpy

        terms, numbers, of = self._terms_of(numpy.asarray(rows))
        numpy.add.at(self._total, terms, numbers * factors[of])
        columns, worths, places = self._terms_of(others)
        products = worths * self._total[columns]
        self._total[terms] = 0
        return numpy.bincount(places, weights=products, minlength=len(others))

    def _terms_of(self, rows: Any) -> tuple[Any, Any, Any]:
        """Return the columns and numbers of some rows, and for each the place of its row in them.

        Written out, because indexing a sparse matrix costs more than a few dozen short rows do.
        """
        import numpy

        starts = self._rows.indptr[rows]
        lengths = self._rows.indptr[rows + 1] - starts
        ends = numpy.cumsum(lengths)
        at = numpy.repeat(starts - ends + lengths, lengths) + numpy.arange(lengths.sum())
        of = numpy.repeat(numpy.arange(len(rows)), lengths)
        return self._rows.indices[at], self._rows.data[at], of

    def _shared(self, row: int) -> Any:
        """Return the dot product of the rare terms of `row` with those of each row."""
        import numpy

        starts, columns, numbers = self._turned.indptr, self._turned.indices, self._turned.data
        sums = numpy.zeros(self._rows.shape[0])
        own = slice(self._rare.indptr[row], self._rare.indptr[row + 1])
        # Term by term into an array: a sparse product would first make a list of what it adds.
        for term, worth in zip(self._rare.indices[own], self._rare.data[own], strict=True):
            part = slice(starts[term], starts[term + 1])
            sums[columns[part]] += worth * numbers[part]
        return sums


def common_terms(rows: Any) -> Any:
    """Return for each column whether it is common."""
    import numpy

    return numpy.bincount(rows.indices, minlength=rows.shape[1]) * _COMMON > rows.shape[0]
