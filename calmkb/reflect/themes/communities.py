"""Themes: communities of texts that several views and several grains agree on.

Each view gives each text its nearest neighbours; in each such graph the Leiden algorithm (Traag,
Waltman and van Eck 2019) finds communities, coarse and fine. Every partition is a vote, and texts
that enough votes hold together are one theme: evidence accumulation (Fred and Jain 2005), by
average linkage. The number of themes is not given, nor one grain that fits only one size of theme.
"""

from collections.abc import Sequence
from typing import Any

from calmkb.reflect.similarity.base import View
from calmkb.reflect.similarity.nearest import neighbours

NEIGHBOURS = (5, 12)
GRAINS = (1.0, 2.0, 4.0)
"""Leiden's resolution: the greater, the smaller the communities."""
MIN_SIMILARITY = 0.15
"""Texts less similar than this are no neighbours, however few there are."""
_SEED = 1
_FEW = 50
_LARGEST = 6_000
"""Groups that average linkage takes at once: 150 MB."""


def communities(
    views: Sequence[View], agreement: float, *, clusters: Sequence[Sequence[int]] = ()
) -> list[list[int]]:
    """Return groups of row numbers that at least a share `agreement` of the votes holds together.

    `views` are of the same texts. Rows are in ascending order in each group, groups in that of
    their first row. In a graph of few texts there are no communities to find: there the groups of
    `clusters` vote too, and the fewer the texts, the more they weigh.
    """
    import numpy

    count = views[0][0][0].shape[0]
    if count < 2:
        return [[row] for row in range(count)]
    votes = _votes(views)
    labels = numpy.zeros(count, dtype=votes.dtype)
    for number, rows in enumerate(clusters):
        labels[list(rows)] = number
    weight = round(votes.shape[1] * _FEW / count) if clusters else 0
    votes = numpy.hstack([votes, numpy.repeat(labels[:, None], weight, axis=1)])
    groups: dict[int, list[int]] = {}
    for row, label in enumerate(_agreed(votes, agreement)):
        groups.setdefault(label, []).append(row)
    return sorted(groups.values())


def _votes(views: Sequence[View]) -> Any:
    """Return an array, one row a text and one column a partition."""
    import numpy

    partitions = []
    for near, levels in neighbours(views, max(NEIGHBOURS)):
        for number in NEIGHBOURS:
            graph = _graph(near[:, :number], levels[:, :number])
            partitions += [_leiden(graph, grain) for grain in GRAINS]
    return numpy.stack(partitions, axis=1)


def _graph(near: Any, levels: Any) -> Any:
    """Return a symmetric sparse graph: two rows meet where one is the other's neighbour."""
    import numpy
    from scipy.sparse import csr_matrix

    count, number = near.shape
    rows = numpy.repeat(numpy.arange(count), number)
    kept = levels.ravel() >= MIN_SIMILARITY
    shape = (count, count)
    graph = csr_matrix((levels.ravel()[kept], (rows[kept], near.ravel()[kept])), shape=shape)
    graph = graph.maximum(graph.T).tocsr()
    graph.sort_indices()
    return graph


def _leiden(graph: Any, grain: float) -> Any:
    import numpy
    from graspologic_native import leiden_csr

    count = graph.shape[0]
    if not graph.nnz:
        return numpy.arange(count)
    _, labels = leiden_csr(
        graph.indptr.astype(numpy.int64),
        graph.indices.astype(numpy.int32),
        graph.data.astype(numpy.float64),
        count,
        resolution=grain,
        seed=_SEED,
    )
    return numpy.array([labels[row] for row in range(count)])


def _agreed(votes: Any, agreement: float) -> list[int]:
    """Return a label for each row; rows with the same votes throughout are weighed as one."""
    import numpy
    from scipy.cluster.hierarchy import fcluster, linkage

    kinds, places = numpy.unique(votes, axis=0, return_inverse=True)
    while len(kinds) > _LARGEST and kinds.shape[1] > 1:  # so many texts that fewer votes must do
        kinds, places = numpy.unique(votes[:, : kinds.shape[1] // 2], axis=0, return_inverse=True)
    if len(kinds) < 2:
        return [0] * len(votes)
    tree = linkage(kinds, method="average", metric="hamming")
    # A hair of slack, so that a share equal to the one asked for is in on every machine.
    labels = fcluster(tree, 1 - agreement + 1e-9, criterion="distance")
    return [int(label) for label in labels[places.ravel()]]
