"""Average linkage around one row alone: the groups of all other rows are not made.

The nearest-neighbour chain (Benzecri 1982, Murtagh 1983): from a group to its nearest, to that
one's nearest and so on, until two are nearest to each other; these merge, as they do in the whole.
Begun at one row, it makes just the merges that the row's own group depends on.
"""

from typing import Any

from calmkb.reflect.clusters_rounds import DIGITS
from calmkb.reflect.join import SLACK

_HELD = 32  # arrays of one number a row, kept for the groups last looked at


class Chain:
    """The groups made so far, each named by its first row."""

    def __init__(self, rows: Any, turned: Any, sizes: Any, threshold: float) -> None:
        import numpy

        self._rows, self._turned, self._threshold = rows, turned, threshold
        self._weights = numpy.asarray(sizes, dtype=float)
        self._labels = numpy.arange(rows.shape[0])
        self._sizes = self._weights.copy()
        self._totals: dict[int, Any] = {}
        self._members: dict[int, list[int]] = {}

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
                return sorted(self._of(int(self._labels[row])))

    def _of(self, group: int) -> list[int]:
        return self._members.get(group, [group])

    def _nearest(self, group: int) -> int | None:
        """Return the group of the greatest mean cosine, or None if none reaches the threshold.

        Of equals the one that makes the first pair, both by their first rows: an order of all
        pairs, so that the chain never turns in a circle.
        """
        import numpy

        totals = self._totals_of(group)
        needed = (self._threshold - SLACK) * self._sizes[group]
        near = numpy.flatnonzero(totals >= needed * self._sizes)
        near = near[near != group]
        if not len(near):
            return None
        means = (totals[near] / (self._sizes[group] * self._sizes[near])).round(DIGITS)
        equal: list[int] = near[means == means.max()].tolist()
        return min(equal, key=lambda other: (min(other, group), max(other, group)))

    def _totals_of(self, group: int) -> Any:
        """Return the sum of the cosines of the group's members to those of each other group."""
        import numpy

        if group in self._totals:
            self._totals[group] = self._totals.pop(group)
            return self._totals[group]
        rows = self._of(group)
        said = self._rows[rows].T @ self._weights[rows]
        total = numpy.zeros(len(self._labels))
        starts, columns, numbers = self._turned.indptr, self._turned.indices, self._turned.data
        # Term by term into an array: a sparse product would first make a list of what it adds.
        for term in numpy.flatnonzero(said).tolist():
            part = slice(starts[term], starts[term + 1])
            total[columns[part]] += said[term] * numbers[part]
        total *= self._weights
        return self._hold(
            group, numpy.bincount(self._labels, weights=total, minlength=len(self._labels))
        )

    def _hold(self, group: int, totals: Any) -> Any:
        self._totals[group] = totals
        if len(self._totals) > _HELD:
            del self._totals[next(iter(self._totals))]
        return totals

    def _merge(self, one: int, other: int) -> int:
        kept, gone = min(one, other), max(one, other)
        totals = self._totals_of(kept) + self._totals_of(gone)
        self._members[kept] = self._of(kept) + self._of(gone)
        self._labels[self._of(gone)] = kept
        self._members.pop(gone, None)
        self._totals.pop(gone, None)
        self._sizes[kept] += self._sizes[gone]
        self._hold(kept, totals)
        for held in self._totals.values():
            held[kept] += held[gone]
            held[gone] = 0
        return kept
