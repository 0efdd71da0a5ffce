"""Average-linkage clusters of sparse vectors, computed component by component.

Two groups merge only where their mean similarity reaches the threshold, so some pair of theirs does
too: every cluster lies inside one connected component of the graph of such pairs, and the dense
work is done for one component at a time. The result is that of the whole, exactly.
"""

from typing import Any

_BLOCK = 2_000


def cluster(vectors: Any, threshold: float) -> list[list[int]]:
    """Return groups of row numbers whose mean cosine is at least `threshold`.

    Rows are in ascending order in each group, groups in that of their first row.
    """
    count = vectors.shape[0]
    if count < 2:
        return [[row] for row in range(count)]
    groups = []
    for rows in _components(vectors, threshold):
        groups += _average_linkage(vectors, rows, threshold) if len(rows) > 1 else [rows]
    return sorted(groups)


def similarities(vectors: Any, rows: list[int], others: list[int]) -> Any:
    """Return the dense cosines of `rows` against `others`, clipped to 0..1."""
    return (vectors[rows] @ vectors[others].T).toarray().clip(0, 1)


def _components(vectors: Any, threshold: float) -> list[list[int]]:
    from scipy.sparse import vstack
    from scipy.sparse.csgraph import connected_components

    blocks = []
    for start in range(0, vectors.shape[0], _BLOCK):
        block = vectors[start : start + _BLOCK] @ vectors.T
        block.data[block.data < threshold] = 0
        block.eliminate_zeros()
        blocks.append(block)
    count, labels = connected_components(vstack(blocks), directed=False)
    components: list[list[int]] = [[] for _ in range(count)]
    for row, label in enumerate(labels):
        components[label].append(row)
    return components


def _average_linkage(vectors: Any, rows: list[int], threshold: float) -> list[list[int]]:
    from scipy.cluster.hierarchy import fcluster, linkage
    from scipy.spatial.distance import squareform

    distances = 1 - similarities(vectors, rows, rows)
    distances = (distances + distances.T) / 2
    for row in range(len(rows)):
        distances[row, row] = 0
    tree = linkage(squareform(distances, checks=False), method="average")
    # A hair of slack, so that a mean equal to the threshold is in on every machine.
    labels = fcluster(tree, 1 - threshold + 1e-9, criterion="distance")
    groups: dict[int, list[int]] = {}
    for row, label in zip(rows, labels, strict=True):
        groups.setdefault(int(label), []).append(row)
    return list(groups.values())
