"""Every pair of alike rows, exactly, without looking at all pairs.

A prefix join (after Bayardo, Ma and Srikant, "Scaling up all pairs similarity search", WWW 2007).
Terms are put in one order, the rarest first, and each row is cut where the norm of what is left
falls below a share of the threshold: front and rest. Of two rows let x be the one whose front ends
first in that order. All that they share up to there lies in both fronts, and what they share beyond
lies in x's rest, so

    x.y <= front(x).front(y) + |rest(x)| * |y|

and no pair at the threshold has fronts that multiply to less than the threshold less a rest's norm.
Fronts are short and hold rare terms, so that their product is small; what it lets through is
verified on the whole rows.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

Watch = Callable[[int, int], None]
"""Told of rows done and rows in all."""

SLACK = 1e-9
"""A pair that is equal to the threshold but for rounding is in, on every machine."""

_SHARE = 0.75
_PRODUCTS = 8_000_000  # of one block: about 100 MB
_TERMS = 4_000_000  # gathered at a time to verify candidates
_TAILS = 16


@dataclass(frozen=True, slots=True)
class Pairs:
    """Row numbers and their cosines, as three arrays of one length, by first and then second."""

    first: Any
    second: Any
    level: Any

    def where(self, chosen: Any) -> "Pairs":
        """Return the pairs at which the array `chosen` is true."""
        return Pairs(self.first[chosen], self.second[chosen], self.level[chosen])


@dataclass(frozen=True, slots=True)
class _Cut:
    """Rows with their terms in the common order, their fronts, and the norms of their rests."""

    rows: Any
    fronts: Any
    rests: Any


def join(
    rows: Any, threshold: float, *, watch: Watch | None = None, most: int = _PRODUCTS
) -> Iterator[Pairs]:
    """Yield every pair first < second of `rows` whose dot product is at least `threshold`.

    `rows` is a sparse matrix, no row longer than 1 (numbers below 0 are all right); `threshold` is
    above 0. The pairs come in blocks, sorted, each of a product with at most `most` entries: by
    default, no block takes more than some hundred megabytes.
    """
    import numpy

    if rows.shape[0] < 2:
        return
    cut = _cut(rows, threshold, _ranks(rows))
    count, worst = rows.shape[0], cut.rests.max() + SLACK
    tail_from, tail = 0, cut.fronts.T.tocsr()
    for start, end in blocks(cut.fronts, cut.fronts, most):
        if start - tail_from >= count // _TAILS > 0:
            # Only later rows are looked for; copying them for every block would cost more.
            tail_from, tail = start, cut.fronts[start:].T.tocsr()
        first, second, level = at_least(cut.fronts[start:end] @ tail, threshold - worst)
        first, second = first + start, second + tail_from
        rests = numpy.maximum(cut.rests[first], cut.rests[second])
        near = (second > first) & (level >= threshold - rests - SLACK)
        yield _verified(cut.rows, cut.rows, first[near], second[near], threshold)
        if watch:
            watch(end, count)


def gathered(blocks: Iterable[Pairs]) -> Pairs:
    """Return the pairs of all blocks as one."""
    import numpy

    parts = list(blocks)
    if not parts:
        return Pairs(numpy.empty(0, int), numpy.empty(0, int), numpy.empty(0))
    return Pairs(
        numpy.concatenate([part.first for part in parts]),
        numpy.concatenate([part.second for part in parts]),
        numpy.concatenate([part.level for part in parts]),
    )


def dots(rows: Any, others: Any, first: Any, second: Any) -> Any:
    """Return the dot product of each row of `first` with that of `second`, an array of numbers."""
    import numpy

    levels = numpy.empty(len(first))
    step = max(1, _TERMS * rows.shape[0] // max(1, rows.nnz))
    for start in range(0, len(first), step):
        part = slice(start, start + step)
        product = rows[first[part]].multiply(others[second[part]])
        levels[part] = numpy.asarray(product.sum(axis=1)).ravel()
    return levels


def _ranks(rows: Any) -> Any:
    """Return each column's place among all, from the rarest; ties by column."""
    import numpy

    frequencies = numpy.bincount(rows.indices, minlength=rows.shape[1])
    ranks = numpy.empty(rows.shape[1], dtype=rows.indices.dtype)
    ranks[numpy.argsort(frequencies, kind="stable")] = numpy.arange(rows.shape[1])
    return ranks


def _cut(rows: Any, threshold: float, ranks: Any) -> _Cut:
    import numpy
    from scipy.sparse import csr_matrix

    # Copied: sorting the terms would shuffle the caller's numbers too.
    placed = csr_matrix(
        (rows.data.astype(float), ranks[rows.indices], rows.indptr.copy()), shape=rows.shape
    )
    placed.sort_indices()
    lengths = numpy.diff(placed.indptr)
    squares = numpy.concatenate([[0.0], numpy.cumsum(placed.data**2)])
    left = numpy.repeat(squares[placed.indptr[1:]], lengths) - squares[:-1]
    # A running sum over all rows rounds; a front that is a term too long does no harm.
    kept = left >= (_SHARE * threshold) ** 2 - SLACK
    bounds = numpy.concatenate([[0], numpy.cumsum(kept)])[placed.indptr]
    fronts = csr_matrix((placed.data[kept], placed.indices[kept], bounds), shape=rows.shape)
    ends = placed.indptr[:-1] + numpy.diff(bounds)
    rests = squares[placed.indptr[1:]] - squares[ends]
    return _Cut(placed, fronts, numpy.sqrt(rests.clip(0) + SLACK**2) + SLACK)


def blocks(fronts: Any, others: Any, most: int) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of blocks whose product has at most `most` entries."""
    import numpy

    pattern = fronts.copy()
    pattern.data = numpy.ones_like(pattern.data)
    frequencies = numpy.bincount(others.indices, minlength=others.shape[1])
    costs = numpy.minimum(pattern @ frequencies, others.shape[0])
    sums = numpy.concatenate([[0], numpy.cumsum(costs)])
    start, count = 0, fronts.shape[0]
    while start < count:
        fits = int(numpy.searchsorted(sums, sums[start] + most, side="right")) - 1
        end = min(max(fits, start + 1), count)
        yield start, end
        start = end


def at_least(product: Any, level: float) -> tuple[Any, Any, Any]:
    """Return row, column and number of the entries from `level` up: few of very many."""
    import numpy

    kept = numpy.flatnonzero(product.data >= level)
    rows = numpy.searchsorted(product.indptr, kept, side="right") - 1
    return rows, product.indices[kept], product.data[kept]


def _verified(rows: Any, others: Any, first: Any, second: Any, threshold: float) -> Pairs:
    import numpy

    order = numpy.lexsort((second, first))
    first, second = first[order], second[order]
    levels = dots(rows, others, first, second)
    near = levels >= threshold - SLACK
    return Pairs(first[near], second[near], levels[near])
