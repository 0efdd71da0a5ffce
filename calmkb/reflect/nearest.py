"""The nearest rows of each row: exactly, and in one order on every machine."""

from collections.abc import Iterator
from typing import Any

_BLOCK = 500  # rows held against all others at a time: 80 MB where these are 20,000
_DIGITS = 1e9
"""Cosines are told apart to so many parts; equals come in the order of their rows."""
_COMMON, _MANY = 0.9, 16
"""So many columns that this share of the rows have (a model's, all of them) are multiplied apart:
without a look for what is zero that takes a twentieth of the time."""


def nearest(rows: Any, others: Any, number: int, *, own: bool = False) -> tuple[Any, Any]:
    """Return of each of `rows` the `number` nearest of `others` and their cosines, nearest first.

    Both are sparse matrices, rows of length 1 or 0. With `own` they are the same texts, and a row
    is no neighbour of itself.
    """
    import numpy

    number = max(0, min(number, others.shape[0] - own))
    near = numpy.empty((rows.shape[0], number), dtype=numpy.int32)
    levels = numpy.empty((rows.shape[0], number))
    for start, block in _blocks(rows, others) if number else ():
        if own:
            within = numpy.arange(len(block))
            block[within, start + within] = -1
        found = _first(block, number)
        near[start : start + len(block)] = found
        levels[start : start + len(block)] = numpy.take_along_axis(block, found, axis=1)
    return near, levels


def _blocks(rows: Any, others: Any) -> Iterator[tuple[int, Any]]:
    """Yield the first row of each block, and an array of its cosines with all of `others`."""
    import numpy

    had = numpy.bincount(others.indices, minlength=others.shape[1])
    common = had >= _COMMON * others.shape[0]
    if common.sum() < _MANY:
        common[:] = False
    dense, dense_others = rows[:, common].toarray(), others[:, common].toarray().T
    if common.any():
        rows, others = rows[:, ~common], others[:, ~common]
    turned = others.T.tocsr()
    for start in range(0, rows.shape[0], _BLOCK):
        part = slice(start, start + _BLOCK)
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
