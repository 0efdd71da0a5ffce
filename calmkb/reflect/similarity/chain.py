"""Average linkage around one row alone: the groups of all other rows are not made.

The nearest-neighbour chain (Benzecri 1982, Murtagh 1983): from a group to its nearest, to that
one's nearest and so on, until two are nearest to each other; these merge, as they do in the whole.
Started at one row, it makes just the merges that the row's own group depends on.

Two groups whose mean cosine reaches the threshold have a pair of members whose cosine does. So each
row is compared with all others once, and a group only with the groups that its members are near.
"""

from dataclasses import dataclass
from typing import Any

from calmkb.reflect.similarity.near import SLACK, Near

_DIGITS = 10
"""Means that differ beyond these are equal: sums round differently in another order."""


@dataclass(slots=True)
class _Group:
    """Its members, rows that may be near to it, and their cosines to all members, summed up."""

    members: list[int]
    rows: Any
    sums: Any


class Chain:
    """The groups made so far, each named by its first row."""

    def __init__(self, near: Near, sizes: Any, threshold: float) -> None:
        import numpy

        self._near, self._threshold = near, threshold
        self._weights = numpy.asarray(sizes, dtype=float)
        self._labels = numpy.arange(len(self._weights))
        self._sizes = self._weights.copy()
        self._counts = numpy.ones(len(self._weights), dtype=int)
        self._groups: dict[int, _Group] = {}

    def group_of(self, row: int) -> list[int]:
        """Return the rows of the group of `row`, in ascending order."""
        # The nearest of the last is in the chain only as the one before it, but for rounding.
        stack = [int(self._labels[row])]
        while True:
            nearest = self._nearest(stack[-1])
            if len(stack) > 1 and (nearest is None or nearest in stack):
                merged = self._merge(stack.pop(), stack.pop())
                if not stack:
                    stack = [merged]
            elif nearest is not None:
                stack.append(nearest)
            else:
                return sorted(self._members(int(self._labels[row])))

    def _members(self, group: int) -> list[int]:
        return self._groups[group].members if self._counts[group] > 1 else [group]

    def _nearest(self, group: int) -> int | None:
        """Return the group of the greatest mean cosine, or None if none reaches the threshold.

        Of equals the one that makes the first pair, both by their first rows: an order of all
        pairs, so that the chain never turns in a circle.
        """
        others, totals = self._totals(group)
        means = totals / (self._sizes[group] * self._sizes[others])
        near = means >= self._threshold - SLACK
        if not near.any():
            return None
        others, means = others[near], means[near].round(_DIGITS)
        equal: list[int] = others[means == means.max()].tolist()
        return min(equal, key=lambda other: (min(other, group), max(other, group)))

    def _totals(self, group: int) -> tuple[Any, Any]:
        """Return the groups that may be near, and the sums of all cosines between the members."""
        import numpy

        one = self._group(group)
        apart = self._labels[one.rows] != group
        one.rows, one.sums = one.rows[apart], one.sums[apart]
        others, seen = numpy.unique(self._labels[one.rows], return_counts=True)
        partly = others[seen < self._counts[others]].tolist()
        if partly:
            self._extend(one, [row for other in partly for row in self._members(other)])
        places = numpy.searchsorted(others, self._labels[one.rows])
        products = one.sums * self._weights[one.rows]
        return others, numpy.bincount(places, weights=products, minlength=len(others))

    def _group(self, group: int) -> _Group:
        if group not in self._groups:
            rows, levels = self._near.of(group)
            self._groups[group] = _Group([group], rows, levels * self._weights[group])
        return self._groups[group]

    def _extend(self, group: _Group, rows: Any) -> None:
        """Let a group know its sums with `rows` too; its rows stay in ascending order."""
        import numpy

        asked = numpy.sort(rows)
        places = numpy.searchsorted(group.rows, asked)
        known = numpy.append(group.rows, -1)[places] == asked
        if known.all():
            return
        more, places = asked[~known], places[~known]
        sums = self._near.dots(group.members, self._weights[group.members], more)
        group.rows = numpy.insert(group.rows, places, more)
        group.sums = numpy.insert(group.sums, places, sums)

    def _merge(self, one: int, other: int) -> int:
        kept, gone = min(one, other), max(one, other)
        stays, goes = self._group(kept), self._group(gone)
        self._extend(stays, goes.rows)
        self._extend(goes, stays.rows)
        self._labels[goes.members] = kept
        self._sizes[kept] += self._sizes[gone]
        self._counts[kept] += self._counts[gone]
        self._groups[kept] = _Group(
            stays.members + goes.members, stays.rows, stays.sums + goes.sums
        )
        del self._groups[gone]
        return kept
