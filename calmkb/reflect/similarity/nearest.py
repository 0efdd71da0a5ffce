"""The nearest rows of each row: exactly, and in one order on every machine."""

from collections.abc import Iterator, Sequence
from typing import Any

from calmkb.reflect.similarity.base import View

_BLOCK = 500  # rows compared to all others at a time
_CELLS = 10_000_000  # and cosines at a time: 80 MB
_DIGITS = 1e9
"""Cosines are compared to so many parts; equals come in the order of their rows."""
_COMMON, _MANY = 0.9, 16
"""So many columns that this share of the rows have (a model's, all of them) are multiplied as a
dense matrix: that takes a twentieth of the time."""


def nearest(rows: Any, others: Any, number: int) -> tuple[Any, Any]:
    """Return of each of `rows` the `number` nearest of `others` and their cosines, nearest first.

    Both are sparse matrices, rows of length 1 or 0.
    """
    found = _Nearest(rows.shape[0], min(number, others.shape[0]))
    for start, block in _blocks(rows, others):
        found.take(start, block)
    return found.rows, found.cosines


def neighbours(views: Sequence[View], number: int) -> list[tuple[Any, Any]]:
    """Return for each view of the same texts the nearest others of each text, as `nearest` does.

    A matrix that several views are made of is multiplied once.
    """
    matrices = {id(rows): rows for view in views for rows, _ in view}
    count = views[0][0][0].shape[0]
    found = [_Nearest(count, min(number, count - 1)) for _ in views]
    for made in zip(*(_blocks(rows, rows) for rows in matrices.values()), strict=True):
        start = made[0][0]
        cosines = dict(zip(matrices, (block for _, block in made), strict=True))
        for view, one in zip(views, found, strict=True):
            block = sum(cosines[id(rows)] * share for rows, share in view)
            for row in range(len(block)):
                block[row, start + row] = -1  # a text is no neighbour of itself
            one.take(start, block)
    return [(one.rows, one.cosines) for one in found]


class _Nearest:
    """The nearest rows found so far, block by block."""

    def __init__(self, count: int, number: int) -> None:
        import numpy

        self._number = number
        self.rows = numpy.zeros((count, number), dtype=numpy.int32)
        self.cosines = numpy.zeros((count, number))

    def take(self, start: int, block: Any) -> None:
        """Take the greatest of each row of a block of cosines."""
        import numpy

        if self._number:
            first = _greatest(block, self._number)
            part = slice(start, start + len(block))
            self.rows[part] = first
            self.cosines[part] = numpy.take_along_axis(block, first, axis=1)


def _blocks(rows: Any, others: Any) -> Iterator[tuple[int, Any]]:
    """Yield the first row of each block, and an array of its cosines with all of `others`."""
    import numpy

    had = numpy.bincount(others.indices, minlength=others.shape[1])
    common = had >= _COMMON * others.shape[0]
    if common.sum() < _MANY:
        common[:] = False
    dense, dense_others = rows[:, common].toarray(), others[:, common].toarray().T
    rows, columns = rows[:, ~common], others[:, ~common].T.tocsr()
    step = max(1, min(_BLOCK, _CELLS // max(1, others.shape[0])))
    for start in range(0, rows.shape[0], step):
        part = slice(start, start + step)
        yield start, (rows[part] @ columns).toarray() + dense[part] @ dense_others


def _greatest(block: Any, number: int) -> Any:
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
