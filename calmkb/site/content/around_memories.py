"""How often sessions met a trouble in the weeks before its memory was approved, and since."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from calmkb.model import GLOBAL_SCOPE, Memory, Theme
from calmkb.site.content.addresses import day_of
from calmkb.site.content.catalogue import Catalogue
from calmkb.site.content.friction import Friction, read_day

WEEKS = 8
"""To each side of the approval."""
_LEAST = 10
"""Sessions to each side below which nothing is shown: a share of fewer is chance."""


@dataclass(frozen=True, slots=True)
class Share:
    """Of so many sessions that could meet a trouble, how many met it."""

    met: int = 0
    sessions: int = 0

    def __add__(self, other: "Share") -> "Share":
        return Share(self.met + other.met, self.sessions + other.sessions)


@dataclass(frozen=True, slots=True)
class Around:
    """The shares of all answered troubles together, week by week from their approval."""

    troubles: int
    before: tuple[Share, ...]
    since: tuple[Share, ...]


def around_memories(friction: Friction) -> Around | None:
    """Return the shares, or None where too few sessions are to each side.

    The last session before the approval that met a trouble is left out: without it there would
    be no memory, so it cannot speak for one.
    """
    days = _days_by_scope(friction.catalogue)
    known = friction.catalogue.memory_by_id
    answered = [(one, known[one.memory_id]) for one in friction.recurring if one.memory_id in known]
    shares = [Share()] * (2 * WEEKS)
    for theme, memory in answered:
        counted = _shares(theme, memory, days.get(memory.scope.casefold(), []))
        shares = [one + more for one, more in zip(shares, counted, strict=True)]
    before, since = tuple(shares[:WEEKS]), tuple(shares[WEEKS:])
    if min(sum(one.sessions for one in side) for side in (before, since)) < _LEAST:
        return None
    return Around(len(answered), before, since)


def _days_by_scope(catalogue: Catalogue) -> dict[str, list[date]]:
    found: defaultdict[str, list[date]] = defaultdict(list)
    for view in reversed(catalogue.sessions):
        for scope in {GLOBAL_SCOPE, view.entry.project_name.casefold()}:
            found[scope].append(day_of(view.entry.created_at))
    return found


def _shares(theme: Theme, memory: Memory, days: Sequence[date]) -> list[Share]:
    """Return one trouble's share of each week, the earliest first; `days` are sorted."""
    approved = day_of(memory.created_at)
    met = _met(theme, memory)
    made = max((place for place, day in enumerate(met) if day <= approved), default=None)
    if made is not None:
        del met[made]
    found = []
    for week in range(-WEEKS, WEEKS):
        # The day of the approval belongs to the time before it.
        start = approved + timedelta(days=7 * week + 1)
        end = start + timedelta(days=7)
        sessions = bisect_left(days, end) - bisect_left(days, start)
        found.append(Share(sum(start <= day < end for day in met), sessions))
    return found


def _met(theme: Theme, memory: Memory) -> list[date]:
    """Return the days of the sessions in the memory's scope that met a trouble, sorted."""
    scope = memory.scope.casefold()
    days = {
        one.source: day
        for one in theme.evidence
        if scope in (GLOBAL_SCOPE, one.project.casefold()) and (day := read_day(one.date))
    }
    return sorted(days.values())
