"""Average-linkage clusters of sparse vectors.

Up to `MAX_DENSE` rows, SciPy clusters the table of all distances. Beyond, a nearest-neighbour chain
(`chain`) makes the same groups, one after another, without that table.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from calmkb.reflect.similarity.chain import Chain
from calmkb.reflect.similarity.near import SLACK, Near

Progress = Callable[[int, int], None]
"""Called with the number of rows done, and of all."""
MAX_DENSE = 3_000
"""Rows whose distances are held at once: 72 MB."""


def cluster(
    vectors: Any,
    threshold: float,
    *,
    keys: Sequence[str] | None = None,
    wanted: Iterable[int] | None = None,
    progress: Progress | None = None,
) -> list[list[int]]:
    """Return groups of row numbers whose mean cosine is at least `threshold`.

    With `wanted`, only the groups that hold one of these rows. Rows are in ascending order in each
    group, groups in that of their first row. Where two merges are equally good, the row that comes
    first decides; with `keys` (the texts), the one whose key does, so that the groups are the same
    in whatever order the rows come.
    """
    count = vectors.shape[0]
    asked = set(range(count) if wanted is None else wanted)
    if count <= MAX_DENSE:
        order = sorted(range(count), key=keys.__getitem__) if keys else list(range(count))
        groups = _by_all_distances(vectors, order, threshold)
        if progress and asked:
            progress(len(asked), len(asked))
    else:
        groups = _by_chain(vectors, threshold, keys, sorted(asked), progress)
    return sorted(sorted(group) for group in groups if not asked.isdisjoint(group))


def similarities(vectors: Any, rows: list[int], others: list[int]) -> Any:
    """Return the dense cosines of `rows` against `others`, clipped to 0..1."""
    return (vectors[rows] @ vectors[others].T).toarray().clip(0, 1)


def closeness(vectors: Any, rows: list[int]) -> list[float]:
    """Return the mean cosine of each of `rows` to all of them, without a table of all pairs."""
    import numpy
    from scipy.sparse import csr_matrix

    chosen = vectors[rows]
    centre = csr_matrix(numpy.asarray(chosen.sum(axis=0)).reshape(1, -1) / len(rows))
    found: list[float] = (chosen @ centre.T).toarray().ravel().tolist()
    return found


def average_linkage(distances: Any, threshold: float) -> list[int]:
    """Return a label for each row of a square table of distances, 1 less the similarity.

    Rows have the same label where the mean similarity of their groups reaches `threshold`.
    """
    from scipy.cluster.hierarchy import fcluster, linkage
    from scipy.spatial.distance import squareform

    # Both halves come of the same sums in another order.
    halves = squareform((distances + distances.T) / 2, checks=False)
    # A hair of slack, so that a mean equal to the threshold is in on every machine.
    labels = fcluster(linkage(halves, method="average"), 1 - threshold + SLACK, "distance")
    found: list[int] = labels.tolist()
    return found


def _by_all_distances(vectors: Any, order: list[int], threshold: float) -> list[list[int]]:
    if len(order) < 2:
        return [order] if order else []
    distances = 1 - similarities(vectors, order, order)
    groups: dict[int, list[int]] = {}
    for row, label in zip(order, average_linkage(distances, threshold), strict=True):
        groups.setdefault(label, []).append(row)
    return list(groups.values())


def _by_chain(
    vectors: Any,
    threshold: float,
    keys: Sequence[str] | None,
    asked: list[int],
    progress: Progress | None,
) -> list[list[int]]:
    """Return the groups of the rows `asked`; rows that are the same are clustered as one."""
    import numpy

    same = _same_rows(vectors, keys)
    distinct_of = {row: number for number, rows in enumerate(same) for row in rows}
    sizes = numpy.array([len(rows) for rows in same])
    chain = Chain(Near(vectors[[rows[0] for rows in same]], threshold), sizes, threshold)
    groups: list[list[int]] = []
    done: set[int] = set()
    for number, row in enumerate(asked, 1):
        if row not in done:
            members = chain.group_of(distinct_of[row])
            rows = [row for member in members for row in same[member]]
            # A text without a term is similar to nothing, not even to its like.
            empty = vectors.indptr[row] == vectors.indptr[row + 1]
            groups += [[one] for one in rows] if empty else [rows]
            done.update(rows)
        if progress:
            progress(number, len(asked))
    return groups


def _same_rows(vectors: Any, keys: Sequence[str] | None) -> list[list[int]]:
    """Return the numbers of rows that are the same, in the order that breaks ties."""
    same: dict[Any, list[int]] = {}
    for row, key in enumerate(_contents(vectors) if keys is None else keys):
        same.setdefault(key, []).append(row)
    return [same[key] for key in (same if keys is None else sorted(same))]


def _contents(vectors: Any) -> Iterable[bytes]:
    for start, end in zip(vectors.indptr[:-1], vectors.indptr[1:], strict=True):
        yield vectors.indices[start:end].tobytes() + vectors.data[start:end].tobytes()
