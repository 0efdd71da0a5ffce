"""Did a memory help? What it is about, in sessions before it was approved and since."""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from calmkb.model import GLOBAL_SCOPE, Helping, Memory, Rate, SessionView
from calmkb.reflect.memories.recurrence import Mention
from calmkb.reflect.similarity.same_trouble import SURE
from calmkb.reflect.statements.statements import Statement

LEAST_SESSIONS = 5
"""Sessions before and since, below which nothing is said."""
LEAST_EVENTS = 3
"""Occurrences, before and since together, below which nothing is said."""
UNCOUNTED = 1
"""Occurrences without which there would be no memory: they cannot speak for a higher rate."""
_TAIL = 0.025
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
    scopes = _Scopes(sessions)
    found = {}
    for memory in memories:
        told = [m for m in mentioned.get(memory.id, ()) if trouble(m.statement)]
        apart = {m.statement.entry_id for m in told if m.similarity >= SURE}
        possible = {m.statement.entry_id for m in told} - apart
        hits = apart | {item.source for item in memory.evidence}
        before, since = scopes.rates(memory, hits)
        again = scopes.rates(memory, apart)[0].occurred
        verdict = judge(before, since, apart=again)
        unsure = scopes.rates(memory, possible - hits)[1].occurred
        if verdict.verdict == "helped" and unsure:
            verdict = _unless_met(verdict, unsure, again)
        found[memory.id] = verdict
    return found


def trouble(said: Statement) -> bool:
    """Tell whether a statement is of trouble met, not of something learnt or left to do."""
    return said.friction and not said.learning


def _unless_met(found: Helping, unsure: int, apart: int) -> Helping:
    """Return "helped" only where it holds although all the unsure sessions met the trouble."""
    wider = judge(
        found.before, Rate(found.since.occurred + unsure, found.since.sessions), apart=apart
    )
    if wider.verdict == "helped":
        return found
    words = found.words.replace("helped: ", "too early to say: ", 1)
    words += f"; {unsure} more may have met the same trouble in other words"
    return replace(found, verdict="too early to say", words=words, high=wider.high)


class _Scopes:
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


def judge(before: Rate, since: Rate, *, apart: int | None = None) -> Helping:
    """Return the rate ratio of `since` to `before` and what it comes to, in words.

    `apart` are the occurrences before that were found as a later one would be, not by their own
    quote.

    Two Poisson rates are compared by the conditional binomial (Przyborowski & Wilenski, Biometrika
    31, 1940): of k + y occurrences, y fall into the later sessions with a chance that the ratio
    fixes; its Clopper-Pearson bounds (Biometrika 26, 1934) are the ratio's. One occurrence a
    session at most makes it conservative.

    A memory is written because its theme has just occurred. So the upper bound leaves out the one
    occurrence that a proposal needs: given that there is any, the others of a Poisson count are no
    more than the count would be (its hazard increases), and no effect looks like help as seldom as
    promised. The lower bound keeps all: fewer before would make a theme seem to come back.
    """
    ratio, low = _ratio(before, since), _bounds(before, since)[0]
    counted = before.occurred if apart is None else apart
    fewer = Rate(max(0, counted - UNCOUNTED), before.sessions)
    high = _bounds(fewer, since)[1]
    summary = f"from {_rate_text(before)} to {_rate_text(since)}"
    if ratio is not None:
        bound = "no bound" if high is None else f"{high:.2g}"
        summary += f" (rate ratio {ratio:.2g}, 95 % interval {low:.2g} to {bound})"
    few = min(before.sessions, since.sessions) < LEAST_SESSIONS
    few = few or before.occurred + since.occurred < LEAST_EVENTS
    if not few and high is not None and high < 1:
        return Helping("helped", f"helped: {summary}", before, since, ratio, low, high)
    if not few and low > 1:
        words = f"came back more often: {summary}"
        return Helping("came back more often", words, before, since, ratio, low, high)
    needed = sessions_needed(before, since, fewer)
    words = f"too early to say: {summary}"
    if needed:
        more = f"{needed:,} more session{'' if needed == 1 else 's'}"
        words += f"; {more} without it would show that it helped"
    return Helping("too early to say", words, before, since, ratio, low, high, needed)


def sessions_needed(before: Rate, since: Rate, fewer: Rate) -> int | None:
    """Return the fewest further sessions without an occurrence after which a memory has helped.

    `fewer` are the occurrences before that count for the upper bound. None where even ten thousand
    would not tell: it occurred too seldom before, or too often since.
    """

    def shown(more: int) -> bool:
        later = Rate(since.occurred, since.sessions + more)
        high = _bounds(fewer, later)[1]
        few = min(before.sessions, later.sessions) < LEAST_SESSIONS
        few = few or before.occurred + since.occurred < LEAST_EVENTS
        return not few and high is not None and high < 1

    # More sessions without an occurrence only lower the bound, so the first is found by halving.
    low, high = 0, _MOST_NEEDED
    if not shown(high):
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if shown(middle) else (middle, high)
    return high


def _ratio(before: Rate, since: Rate) -> float | None:
    if not (before.occurred and since.sessions):
        return None
    return since.occurred / since.sessions / (before.occurred / before.sessions)


def _bounds(before: Rate, since: Rate) -> tuple[float, float | None]:
    """Return the 95 % interval of the rate ratio; None where there is no upper bound."""
    if not (before.occurred + since.occurred and before.sessions and since.sessions):
        return 0.0, None
    from scipy.special import betaincinv  # a third of the time that scipy.stats takes to load

    y, k, exposure = since.occurred, before.occurred, before.sessions / since.sessions
    low = float(betaincinv(y, k + 1, _TAIL)) if y else 0.0
    high = float(betaincinv(y + 1, k, 1 - _TAIL)) if k else 1.0
    return low / (1 - low) * exposure, high / (1 - high) * exposure if high < 1 else None


def _rate_text(rate: Rate) -> str:
    return f"{rate.occurred} in {rate.sessions} session{'' if rate.sessions == 1 else 's'}"
