"""A place for each theme on a map on which like themes stand near each other.

Classical scaling (Torgerson, "Multidimensional scaling: I. Theory and method", Psychometrika 17,
1952) of the cosines between the themes' mean vectors, of which the square root is taken: most pairs
share a word or two alone, and by the cosines themselves all would be equally far from each other.
The two greatest axes are found by orthogonal iteration from a start that the themes' names fix: so
neither a sign nor a rotation among equals is left to chance, nor to the machine's library.
"""

import hashlib
from collections.abc import Sequence
from typing import Any

from calmkb.reflect.similarity import Method

MOST = 60
"""Themes on the map: more could not be told apart."""
_TEXTS = 50
_ROUNDS = 300
_DIGITS = 3
_NOTHING = 1e-9
_MIDDLE = 0.5


def placed(
    texts: Sequence[Sequence[str]], names: Sequence[str], method: Method
) -> dict[str, tuple[float, float]]:
    """Return by name where each theme stands; `texts` are what each says, the newest last."""
    import numpy

    told = [said[-_TEXTS:] for said in texts]
    vectors = method.vectors([text for said in told for text in said])
    centres = numpy.zeros((len(told), vectors.shape[1]))
    start = 0
    for row, said in enumerate(told):
        centres[row] = vectors[start : start + len(said)].sum(axis=0)
        start += len(said)
    lengths = numpy.linalg.norm(centres, axis=1, keepdims=True)
    return dict(zip(names, places(centres / numpy.maximum(lengths, _NOTHING), names), strict=True))


def places(centres: Any, names: Sequence[str]) -> list[tuple[float, float]]:
    """Return x and y, 0 to 1, for each row of `centres` (an array, rows of length 1 or 0).

    Both axes have one scale: the longer one fills the unit. `names` are distinct; the same rows and
    names have the same places, in whatever order they are given.
    """
    import numpy

    if not names:
        return []
    order = sorted(range(len(names)), key=lambda row: names[row])
    rows = numpy.asarray(centres, dtype=float)[order]
    # Rounded first: a root makes much of what is nearly nothing.
    near = numpy.sqrt((rows @ rows.T).clip(0, 1).round(9))
    products = near - near.mean(axis=0) - near.mean(axis=1)[:, None] + near.mean()
    start = numpy.array([_start(names[row]) for row in order])
    found = _to_unit(_axes(products.round(9), start - start.mean(axis=0)))
    place_of = dict(zip(order, found, strict=True))
    return [place_of[row] for row in range(len(names))]


def _axes(products: Any, start: Any) -> Any:
    """Return an array of coordinates on the two greatest axes, all 0 where there is none."""
    import numpy

    axes = start
    lengths = numpy.zeros(2)
    for _ in range(_ROUNDS):
        axes = products @ axes
        for column in range(2):
            if column:
                axes[:, 1] -= (axes[:, 0] @ axes[:, 1]) * axes[:, 0]
            lengths[column] = numpy.linalg.norm(axes[:, column])
            axes[:, column] /= max(lengths[column], _NOTHING)
    return axes * numpy.sqrt(lengths)


def _to_unit(axes: Any) -> list[tuple[float, float]]:
    low, high = axes.min(axis=0), axes.max(axis=0)
    scale = max(float((high - low).max()), _NOTHING)
    inside = _MIDDLE + (axes - (low + high) / 2) / scale
    return [(x, y) for x, y in inside.clip(0, 1).round(_DIGITS).tolist()]


def _start(name: str) -> tuple[float, float]:
    digest = hashlib.sha256(name.encode(errors="replace")).digest()
    x, y = (int.from_bytes(part, "big") / 2**31 - 1 for part in (digest[:4], digest[4:8]))
    return x, y
