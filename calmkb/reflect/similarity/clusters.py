"""Average-linkage clusters of sparse vectors, computed component by component.

Two groups merge only where their mean similarity reaches the threshold, so some pair of theirs does
too: every cluster lies inside one connected component of the graph of such pairs, which the join
finds without looking at all pairs. A component of up to `LARGEST` rows is done densely; a larger
one on its pairs alone (`clusters_rounds`), with the same result, so that memory stays bounded.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from calmkb.reflect.similarity.clusters_chain import Chain
from calmkb.reflect.similarity.clusters_rounds import gathered_below, merged, merged_in_steps
from calmkb.reflect.similarity.join import SLACK, Watch, dots
from calmkb.reflect.similarity.near import Near

LARGEST = 2_000
"""Rows of a component whose distances are held densely: 32 MB."""
_FEW = 20  # rows asked for among this many times as many: their neighbourhoods alone are looked at
_SMALL, _AT_ONCE = 20, 2_000
"""Groups of so many rows are looked at so many together: a large one's mean has too many terms."""


def cluster(
    vectors: Any, threshold: float, *, keys: Sequence[str] | None = None, watch: Watch | None = None
) -> list[list[int]]:
    """Return groups of row numbers whose mean cosine is at least `threshold`.

    Rows are in ascending order in each group, groups in that of their first row. Where two merges
    are equally good, the row that comes first decides; with `keys` (the texts), the one whose key
    does, so that the groups are the same in whatever order the rows come.
    """
    return _all(_Rows(vectors, keys), threshold, watch)


def cluster_around(
    vectors: Any, threshold: float, wanted: Iterable[int], *, keys: Sequence[str] | None = None,
    watch: Watch | None = None,
) -> list[list[int]]:  # fmt: skip
    """Return those groups of `cluster` that hold a row of `wanted`, without making the others."""
    asked = sorted(set(wanted))
    rows = _Rows(vectors, keys)
    if len(asked) * _FEW > vectors.shape[0] or vectors.shape[0] <= LARGEST:
        chosen = set(asked)
        return [group for group in _all(rows, threshold, watch) if not chosen.isdisjoint(group)]
    return _around(rows, threshold, asked, watch)


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


def closenesses(vectors: Any, groups: Sequence[Sequence[int]]) -> list[list[float]]:
    """Return what `closeness` does for each of many groups, the small ones together."""
    found = {n: closeness(vectors, list(g)) for n, g in enumerate(groups) if len(g) > _SMALL}
    small = [number for number in range(len(groups)) if number not in found]
    for start in range(0, len(small), _AT_ONCE):
        part = small[start : start + _AT_ONCE]
        found |= zip(part, _closenesses(vectors, [groups[n] for n in part]), strict=True)
    return [found[number] for number in range(len(groups))]


def _closenesses(vectors: Any, groups: Sequence[Sequence[int]]) -> list[list[float]]:
    import numpy
    from scipy.sparse import csr_matrix

    lengths = [len(rows) for rows in groups]
    chosen = vectors[[row for rows in groups for row in rows]]
    of = numpy.repeat(numpy.arange(len(lengths)), lengths)
    made = (numpy.repeat(1 / numpy.array(lengths), lengths), (of, numpy.arange(len(of))))
    centres = csr_matrix(made, shape=(len(lengths), len(of))) @ chosen
    levels = dots(chosen, centres, numpy.arange(len(of)), of).tolist()
    ends = numpy.cumsum(lengths).tolist()
    return [levels[end - length : end] for length, end in zip(lengths, ends, strict=True)]


class _Rows:
    """The vectors with rows that are the same taken as one, in the order that breaks ties."""

    def __init__(self, vectors: Any, keys: Sequence[str] | None) -> None:
        import numpy

        self.vectors, self._keyed = vectors, keys is not None
        kinds: dict[Any, list[int]] = {}
        for row, name in enumerate(_names(vectors) if keys is None else keys):
            kinds.setdefault(name, []).append(row)
        self.kinds = list(kinds.values()) if keys is None else [kinds[key] for key in sorted(kinds)]
        self.sizes = numpy.array([len(kind) for kind in self.kinds])
        first = [kind[0] for kind in self.kinds]
        self.distinct = vectors if len(first) == vectors.shape[0] and not keys else vectors[first]

    def expanded(self, kinds: Iterable[int]) -> list[int]:
        rows = [row for kind in kinds for row in self.kinds[kind]]
        return rows if self._keyed else sorted(rows)

    def parted(self, kinds: Iterable[int]) -> list[list[int]]:
        """Return a group as rows; without any term a row is like nothing, not even its like."""
        rows = self.expanded(kinds)
        nothing = self.vectors.indptr[rows[0]] == self.vectors.indptr[rows[0] + 1]
        return [[row] for row in rows] if nothing else [rows]

    def small(self, kinds: list[int]) -> bool:
        return int(self.sizes[kinds].sum()) <= LARGEST

    def densely(self, kinds: list[int], threshold: float) -> list[list[int]]:
        rows = self.expanded(kinds)
        return _average_linkage(self.vectors, rows, threshold) if len(rows) > 1 else [rows]


def _all(rows: _Rows, threshold: float, watch: Watch | None) -> list[list[int]]:
    import numpy

    pairs = gathered_below(rows.distinct, threshold, watch=watch)
    if pairs is None:
        labels = merged_in_steps(rows.distinct, rows.sizes, threshold, watch=watch)
        return _ordered(_grouped(rows, labels, range(len(rows.kinds))))
    groups: list[list[int]] = []
    large = numpy.zeros(len(rows.kinds), dtype=bool)
    for kinds in _components(len(rows.kinds), pairs):
        if rows.small(kinds):
            groups += rows.densely(kinds, threshold)
        else:
            large[kinds] = True
    if large.any():
        # Components share no pair, so that all large ones are merged in the same rounds.
        inside = pairs.where(large[pairs.first])
        labels = merged(rows.distinct, rows.sizes, inside, threshold)
        groups += _grouped(rows, labels, numpy.flatnonzero(large).tolist())
    return _ordered(groups)


def _around(
    rows: _Rows, threshold: float, asked: list[int], watch: Watch | None
) -> list[list[int]]:
    kind_of = {row: kind for kind, members in enumerate(rows.kinds) for row in members}
    near_to = Near(rows.distinct, threshold)
    chain = Chain(near_to, rows.sizes, threshold)
    groups: list[list[int]] = []
    large: set[int] = set()
    done: set[int] = set()
    starts = sorted({kind_of[row] for row in asked})
    for number, start in enumerate(starts, 1):
        if start not in done:
            near = _neighbourhood(rows, near_to, start, large)
            if near is None:
                group = chain.group_of(start)
                done.update(group)
                groups += rows.parted(group)
            else:
                done.update(near)
                groups += rows.densely(near, threshold)
        if watch:
            watch(number, len(starts))
    chosen = set(asked)
    return _ordered([group for group in groups if not chosen.isdisjoint(group)])


def _neighbourhood(rows: _Rows, near_to: Near, start: int, large: set[int]) -> list[int] | None:
    """Return the component of `start`; None where it is large: then `large` gains what was seen."""
    found, waiting, size = {start}, [start], int(rows.sizes[start])
    while waiting:
        if size > LARGEST or not found.isdisjoint(large):
            large |= found
            return None
        new = [kind for kind in near_to.of(waiting.pop())[0].tolist() if kind not in found]
        size += int(rows.sizes[new].sum())
        found.update(new)
        waiting += new
    return sorted(found)


def _names(vectors: Any) -> Iterable[bytes]:
    """Yield for each row what is the same for rows that are."""
    for start, end in zip(vectors.indptr[:-1], vectors.indptr[1:], strict=True):
        yield vectors.indices[start:end].tobytes() + vectors.data[start:end].tobytes()


def _grouped(rows: _Rows, labels: Any, kinds: Iterable[int]) -> list[list[int]]:
    groups: dict[int, list[int]] = {}
    for kind in kinds:
        groups.setdefault(int(labels[kind]), []).append(kind)
    return [part for members in groups.values() for part in rows.parted(members)]


def _ordered(groups: Iterable[list[int]]) -> list[list[int]]:
    return sorted(sorted(group) for group in groups)


def _components(count: int, pairs: Any) -> list[list[int]]:
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    graph = coo_matrix((pairs.level, (pairs.first, pairs.second)), shape=(count, count))
    number, labels = connected_components(graph, directed=False)
    components: list[list[int]] = [[] for _ in range(number)]
    for row, label in enumerate(labels.tolist()):
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
    labels = fcluster(tree, 1 - threshold + SLACK, criterion="distance")
    groups: dict[int, list[int]] = {}
    for row, label in zip(rows, labels, strict=True):
        groups.setdefault(int(label), []).append(row)
    return list(groups.values())
