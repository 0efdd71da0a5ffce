"""Did a memory help? What it is about, in sessions before it was approved and since."""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from calmkb.model import GLOBAL_SCOPE, Helping, Memory, Rate, SessionView
from calmkb.model.words import counted
from calmkb.reflect.memories.rates import LEVEL, Compared, bounds, fewer_chance
from calmkb.reflect.memories.recurrence import Mention
from calmkb.reflect.similarity.methods import SURE
from calmkb.reflect.statements.statements import Statement

LEAST_SESSIONS = 5
"""Sessions before and since, below which nothing is said."""
LEAST_EVENTS = 3
"""Occurrences, before and since together, below which nothing is said."""
_ROUNDING = 1e-9
"""What two ways to compute one bound may differ by: exactly at the edge it is too early to say."""
_MOST_NEEDED = 10_000
"""Sessions beyond which nobody waits for an answer."""


def helped(
    memories: Iterable[Memory],
    sessions: Sequence[SessionView],
    mentioned: Mapping[str, Sequence[Mention]],
) -> dict[str, Helping]:
    """Return by id the outcome of each memory's theme in the sessions of its scope.

    `mentioned` are the statements that may tell of each one's trouble (`recurrence.troubles_met`).
    Of these a friction point is an occurrence where that is sure, as is a session that it cites; a
    learning is none, since the memory may have taught it. A session counts once. Before is from the
    scope's first session on. It helped only where that holds with those since that are not sure.
    """
    scopes = Scopes(sessions)
    found = {}
    for memory in memories:
        apart, possible = sessions_met(mentioned.get(memory.id, ()))
        hits = apart | {item.source for item in memory.evidence}
        before, since = scopes.rates(memory, hits)
        again = found_before(memory, apart, scopes.rates(memory, apart)[0].occurred)
        cited = cited_sessions(memory)
        verdict = judge(before, since, apart=again, cited=cited)
        unsure = scopes.rates(memory, possible - hits)[1].occurred
        if verdict.verdict == "helped" and unsure:
            verdict = unless_met(verdict, unsure, apart=again, cited=cited)
        found[memory.id] = verdict
    return found


def sessions_met(mentioned: Iterable[Mention]) -> tuple[set[str], set[str]]:
    """Return the sessions that surely met the trouble, and the others that may have."""
    troubles = [one for one in mentioned if trouble(one.statement)]
    sure = {one.statement.entry_id for one in troubles if one.similarity >= SURE}
    return sure, {one.statement.entry_id for one in troubles} - sure


def trouble(statement: Statement) -> bool:
    """Return whether a statement is of trouble met, not of something learnt or left to do."""
    return statement.friction and not statement.learning


def cited_sessions(memory: Memory) -> int:
    """Return how many sessions a memory was made of, one at least."""
    return max(1, len({item.source for item in memory.evidence}))


def found_before(memory: Memory, apart: set[str], met: int) -> int:
    """Return `met`, the sessions before found as a later one would be, and one that is cited.

    None is added where all cited sessions were found so: the one that made the memory is there.
    """
    return met + bool({item.source for item in memory.evidence} - apart - {""})


def unless_met(found: Helping, unsure: int, *, apart: int, cited: int, why: str = "") -> Helping:
    """Return "helped" only where it holds although all the unsure sessions met the trouble."""
    since = found.since
    most = min(since.occurred + unsure, since.sessions)
    wider = judge(found.before, Rate(most, since.sessions), apart=apart, cited=cited)
    if wider.verdict == "helped":
        return found
    words = found.words.replace("helped: ", "too early to say: ", 1)
    words += why or f"; {unsure} more may have met the same trouble in other words"
    return replace(found, verdict="too early to say", words=words, high=wider.high)


class Scopes:
    """Sessions by project and by id, so that a memory costs what mentions it, not all of them."""

    def __init__(self, sessions: Sequence[SessionView]) -> None:
        self._times: dict[str, list[datetime]] = {GLOBAL_SCOPE: []}
        self._places: dict[str, list[tuple[str, datetime]]] = {}
        for entry in (view.entry for view in sessions):
            project = entry.project_name.casefold()
            for scope in {GLOBAL_SCOPE, project}:
                self._times.setdefault(scope, []).append(entry.created_at)
            self._places.setdefault(entry.id, []).append((project, entry.created_at))
        for times in self._times.values():
            times.sort()

    def rates(self, memory: Memory, hits: Iterable[str]) -> tuple[Rate, Rate]:
        """Return how many sessions of a memory's scope are among `hits`, before it and since."""
        scope = memory.scope.casefold()
        times = self._times.get(scope, [])
        places = (place for entry in hits for place in self._places.get(entry, ()))
        met = [moment for project, moment in places if scope in (GLOBAL_SCOPE, project)]
        early = sum(moment <= memory.created_at for moment in met)
        before = bisect_right(times, memory.created_at)
        return Rate(early, before), Rate(len(met) - early, len(times) - before)


def in_scope(memory: Memory, view: SessionView) -> bool:
    """Return whether a session could have been helped by `memory`."""
    scope = memory.scope.casefold()
    return scope in (GLOBAL_SCOPE, view.entry.project_name.casefold())


def judge(before: Rate, since: Rate, *, apart: int | None = None, cited: int = 1) -> Helping:
    """Return the rate ratio of `since` to `before` and what it comes to, in words.

    `apart` are the occurrences before that were found as a later one would be, not by their own
    quote, with the one that made it a memory; `cited` the sessions that it was made of.

    Two Poisson rates are compared by the conditional binomial (Przyborowski & Wilenski, Biometrika
    31, 1940) with mid-P bounds (Lancaster, JASA 56, 1961), each missed by 5 %. One occurrence a
    session at most makes it conservative.

    A memory is written because its theme has just occurred. So the upper bound leaves out what
    made it one (`Compared.unselected`), and adds quiet sessions to those before, against clusters.
    The lower bound keeps all: fewer before would make a theme seem to come back.
    """
    compared = Compared(before, since, before.occurred if apart is None else apart, cited)
    low, high = bounds(compared)
    return verdict_of(_summary(before, since), compared, low, high)


def verdict_of(
    summary: str, compared: Compared, low: float, high: float | None, *, alone: bool = True
) -> Helping:
    """Return the verdict that an interval of the rate ratio gives; `alone` for one memory's."""
    before, since = compared.before, compared.since
    ratio = _ratio(before, since)
    if ratio is not None:
        bound = "no bound" if high is None else f"{high:.2g}"
        summary += f" (rate ratio {ratio:.2g}, 90 % interval {low:.2g} to {bound})"
    if not _few(before, since) and high is not None and high < 1 - _ROUNDING:
        return Helping("helped", f"helped: {summary}", before, since, ratio, low, high)
    if not _few(before, since) and low > 1:
        words = f"came back more often: {summary}"
        return Helping("came back more often", words, before, since, ratio, low, high)
    words = f"too early to say: {summary}"
    needed = sessions_needed(compared) if alone else None
    if needed:
        more = counted(needed, "more session")
        words += f"; {more} without it would show that it helped"
    return Helping("too early to say", words, before, since, ratio, low, high, needed)


def sessions_needed(compared: Compared) -> int | None:
    """Return the fewest further sessions without an occurrence after which a memory has helped.

    None where even ten thousand would not tell: it occurred too seldom before, or too often since.
    """

    def shown(more: int) -> bool:
        later = Rate(compared.since.occurred, compared.since.sessions + more)
        return not _few(compared.before, later) and fewer_chance(
            replace(compared, since=later)
        ) < LEVEL * (1 - _ROUNDING)

    # More sessions without an occurrence only lower the bound, so the first is found by halving.
    low, high = 0, _MOST_NEEDED
    if not shown(high):
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if shown(middle) else (middle, high)
    return high


def _few(before: Rate, since: Rate) -> bool:
    few = min(before.sessions, since.sessions) < LEAST_SESSIONS
    return few or before.occurred + since.occurred < LEAST_EVENTS


def _ratio(before: Rate, since: Rate) -> float | None:
    if not (before.occurred and since.sessions):
        return None
    return since.occurred / since.sessions / (before.occurred / before.sessions)


def _summary(before: Rate, since: Rate) -> str:
    return f"from {_rate_text(before)} to {_rate_text(since)}"


def _rate_text(rate: Rate) -> str:
    return f"{rate.occurred} in {counted(rate.sessions, 'session')}"
