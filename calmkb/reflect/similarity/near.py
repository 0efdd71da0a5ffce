"""Cosines of rows, and the pairs of rows that are near, by scikit-learn, in blocks."""

from collections.abc import Iterable, Iterator
from typing import Any

SLACK = 1e-9  # A cosine that is equal to the threshold but for rounding is in, on every machine
_MEMORY = 24 * 2**20  # bytes of cosines held at once
_SMALL = 2_000
"""Weights of rows that are compared as a dense table: to make sparse ones costs ten times that."""


def tables(rows: Any, sizes: Iterable[int]) -> Iterator[Any]:
    """Yield for each block of so many `rows`, one after another, the dense cosines of all pairs.

    They are clipped to 0..1; `rows` is a sparse matrix.
    """
    import numpy
    from sklearn.metrics.pairwise import linear_kernel

    start = 0
    for size in sizes:
        ends = rows.indptr[start : start + size + 1]
        if ends[-1] - ends[0] > _SMALL:
            found = linear_kernel(rows[start : start + size], dense_output=True)
        else:
            own = slice(ends[0], ends[-1])
            terms, columns = numpy.unique(rows.indices[own], return_inverse=True)
            dense = numpy.zeros((size, len(terms)))
            dense[numpy.repeat(numpy.arange(size), numpy.diff(ends)), columns] = rows.data[own]
            found = dense @ dense.T
        yield found.clip(0, 1)
        start += size


def near_pairs(rows: Any, others: Any, threshold: float) -> Iterator[tuple[Any, Any, Any]]:
    """Yield, a block at a time, the numbers of rows and of others that are near, and their cosines.

    Arrays, by row and other; both are sparse matrices with rows of length 1 or 0.
    `NearestNeighbors` takes three times as long: it makes distances of all first (`run.py near`).
    """
    import numpy
    from sklearn.utils import gen_batches
    from sklearn.utils.extmath import safe_sparse_dot

    width = others.shape[0]
    if not rows.shape[0] or not width:
        return
    columns = others.T.tocsr()
    for part in gen_batches(rows.shape[0], max(1, _MEMORY // (8 * width))):
        cosines = safe_sparse_dot(rows[part], columns, dense_output=True).ravel()
        found = numpy.flatnonzero(cosines >= threshold - SLACK)
        yield part.start + found // width, found % width, cosines[found]


def similar_pairs(rows: Any, others: Any, threshold: float) -> Iterator[tuple[int, int, float]]:
    """Yield (row, other, cosine) where the cosine is at least `threshold`, by row and other."""
    for ones, twos, cosines in near_pairs(rows, others, threshold):
        yield from zip(ones.tolist(), twos.tolist(), cosines.clip(0, 1).tolist(), strict=True)
