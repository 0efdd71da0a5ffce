"""Cosines of rows, and the rows near to a row, by scikit-learn, in blocks."""

from collections.abc import Iterator
from typing import Any

SLACK = 1e-9
"""A cosine that is equal to the threshold but for rounding is in, on every machine."""
_BLOCK = 1_000
_MEMORY = 24
"""Megabytes of cosines held at once."""


def similarities(vectors: Any, rows: list[int], others: list[int]) -> Any:
    """Return the dense cosines of `rows` against `others`, clipped to 0..1."""
    return (vectors[rows] @ vectors[others].T).toarray().clip(0, 1)


def near_rows(rows: Any, others: Any, threshold: float) -> Iterator[tuple[Any, Any]]:
    """Yield for each of `rows` the numbers of `others` near to it and their cosines, nearest first.

    Both are sparse matrices with rows of length 1 or 0.
    """
    from sklearn import config_context
    from sklearn.neighbors import NearestNeighbors
    from sklearn.utils import gen_batches

    if not rows.shape[0] or not others.shape[0]:
        return
    finder = NearestNeighbors(metric="cosine", algorithm="brute", radius=1 - threshold + SLACK)
    finder.fit(others)
    for part in gen_batches(rows.shape[0], _BLOCK):
        with config_context(working_memory=_MEMORY):
            distances, found = finder.radius_neighbors(rows[part], sort_results=True)
        yield from zip(found, (1 - one for one in distances), strict=True)


def similar_pairs(rows: Any, others: Any, threshold: float) -> Iterator[tuple[int, int, float]]:
    """Yield (row, other, cosine) where the cosine is at least `threshold`, by row and other."""
    for row, (found, cosines) in enumerate(near_rows(rows, others, threshold)):
        for other, level in sorted(zip(found.tolist(), cosines.tolist(), strict=True)):
            yield row, other, min(1.0, max(0.0, level))
