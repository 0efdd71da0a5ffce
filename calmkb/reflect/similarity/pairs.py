"""Similar pairs of two sets of rows, in blocks so that memory stays bounded."""

from collections.abc import Iterator
from typing import Any

from calmkb.reflect.similarity.near import SLACK

_CELLS = 2_000_000
"""Similarities held at once: 24 MB."""


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
