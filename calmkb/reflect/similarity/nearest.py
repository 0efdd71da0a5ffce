"""The nearest rows of each row: exactly, and in one order on every machine."""

from collections.abc import Iterator, Sequence
from typing import Any

from calmkb.reflect.similarity.base import View
from calmkb.reflect.similarity.join import at_least, blocks
from calmkb.reflect.similarity.nearest_candidates import Candidates

_BLOCK = 500  # rows held against all others at a time
_CELLS = 10_000_000  # and cosines at a time: 80 MB
_PAIRS = 1_000_000  # and where the rows are sparse
_DIGITS = 1e9
"""Cosines are told apart to so many parts; equals come in the order of their rows."""
PRUNED = 20_000
"""Among so many others and more, candidates are looked for first; among few that costs more."""
_COMMON, _MANY = 0.9, 16
"""So many columns that this share of the rows have (a model's, all of them) are multiplied apart:
without a look for what is zero that takes a twentieth of the time."""


def nearest(rows: Any, others: Any, number: int, *, floor: float) -> tuple[Any, Any]:
    """Return of each of `rows` the `number` nearest of `others` and their cosines, nearest first.

    Both are sparse matrices, rows of length 1 or 0. What is below `floor` need not be found: then
    the last columns are 0.
    """
    found = _Found(rows.shape[0], min(number, others.shape[0]))
    if _common(others).any():
        for start, block in _blocks(rows, others):
            found.take(start, block)
    elif found.number and others.shape[0] >= PRUNED:
        _search(found, rows, others, floor)
    elif found.number:
        _compare(found, rows, others, floor)
    return found.near, found.levels


def _search(found: "_Found", rows: Any, others: Any, floor: float) -> None:
    """Take the nearest by rare terms; rows whose common terms say too much are compared to all."""
    import numpy

    candidates = Candidates(rows, others, found.number, floor)
    undecided = []
    for start, end in candidates.blocks(_PAIRS):
        pairs, whole = candidates.between(start, end)
        found.take_pairs(*pairs)
        undecided.append(whole)
    _compare(found, rows, others, floor, numpy.concatenate(undecided))


def _compare(found: "_Found", rows: Any, others: Any, floor: float, chosen: Any = None) -> None:
    """Take the nearest of all rows, or of the chosen ones, among all others."""
    import numpy

    asked = numpy.arange(rows.shape[0]) if chosen is None else chosen
    if not len(asked):
        return
    turned = others.T.tocsr()
    for start, end in blocks(rows[asked], others, _PAIRS):
        places, columns, cosines = at_least(rows[asked[start:end]] @ turned, floor)
        found.take_pairs(asked[start + places], columns, cosines)


def neighbours(views: Sequence[View], number: int) -> list[tuple[Any, Any]]:
    """Return for each view of the same texts the nearest others of each text, as `nearest` does.

    What several views are made of is multiplied once.
    """
    parts = {id(rows): rows for view in views for rows, _ in view}
    count = views[0][0][0].shape[0]
    found = [_Found(count, min(number, count - 1)) for _ in views]
    for made in zip(*(_blocks(rows, rows) for rows in parts.values()), strict=True):
        cosines = dict(zip(parts, (block for _, block in made), strict=True))
        for view, one in zip(views, found, strict=True):
            one.take(made[0][0], sum(cosines[id(rows)] * share for rows, share in view), own=True)
    return [(one.near, one.levels) for one in found]


class _Found:
    """The nearest rows found so far, block by block."""

    def __init__(self, count: int, number: int) -> None:
        import numpy

        self.number = number
        self.near = numpy.zeros((count, number), dtype=numpy.int32)
        self.levels = numpy.zeros((count, number))

    def take(self, start: int, block: Any, *, own: bool = False) -> None:
        """Take the greatest of each row; of its `own` texts, a row is no neighbour of itself."""
        import numpy

        if not self.number:
            return
        if own:
            within = numpy.arange(len(block))
            block[within, start + within] = -1
        first = _first(block, self.number)
        self.near[start : start + len(block)] = first
        self.levels[start : start + len(block)] = numpy.take_along_axis(block, first, axis=1)

    def take_pairs(self, rows: Any, columns: Any, cosines: Any) -> None:
        """Take the greatest of each row of some pairs."""
        import numpy

        order = numpy.lexsort((columns, numpy.rint(cosines * -_DIGITS), rows))
        rows, columns, cosines = rows[order], columns[order], cosines[order]
        place = numpy.arange(len(rows)) - numpy.searchsorted(rows, rows)
        first = place < self.number
        self.near[rows[first], place[first]] = columns[first]
        self.levels[rows[first], place[first]] = cosines[first]


def _common(others: Any) -> Any:
    """Return which columns nearly all rows have: a model's, or none."""
    import numpy

    had = numpy.bincount(others.indices, minlength=others.shape[1])
    common = had >= _COMMON * others.shape[0]
    if common.sum() < _MANY:
        common[:] = False
    return common


def _blocks(rows: Any, others: Any) -> Iterator[tuple[int, Any]]:
    """Yield the first row of each block, and an array of its cosines with all of `others`."""
    common = _common(others)
    dense, dense_others = rows[:, common].toarray(), others[:, common].toarray().T
    if common.any():
        rows, others = rows[:, ~common], others[:, ~common]
    turned = others.T.tocsr()
    step = max(1, min(_BLOCK, _CELLS // max(1, others.shape[0])))
    for start in range(0, rows.shape[0], step):
        part = slice(start, start + step)
        block = (rows[part] @ turned).toarray()
        if common.any():
            block += dense[part] @ dense_others
        yield start, block


def _first(block: Any, number: int) -> Any:
    """Return the columns of the greatest numbers of each row.

    Each number is made a key of its own, a whole number that holds the column too: so there are no
    ties, and a partition takes the place of a sort. Below 2**53 such keys are exact.
    """
    import numpy

    count = block.shape[1]
    keys = numpy.rint(block * -_DIGITS)
    keys *= count
    keys += numpy.arange(count)
    found = numpy.argpartition(keys, number - 1, axis=1)[:, :number]
    order = numpy.argsort(numpy.take_along_axis(keys, found, axis=1), axis=1)
    return numpy.take_along_axis(found, order, axis=1)
