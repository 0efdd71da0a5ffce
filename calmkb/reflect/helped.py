"""Did a memory help? What it is about, in sessions before it was approved and since."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from calmkb.model import GLOBAL_SCOPE, Helping, Memory, Rate, SessionView
from calmkb.reflect.recurrence import Mention

LEAST_SESSIONS = 5
"""Sessions before and since, below which nothing is said."""
LEAST_EVENTS = 3
"""Occurrences, before and since together, below which nothing is said."""
UNCOUNTED = 1
"""Occurrences without which there would be no memory: they cannot speak for a higher rate."""
_TAIL = 0.025


def helped(
    memories: Iterable[Memory],
    sessions: Sequence[SessionView],
    mentioned: Mapping[str, Sequence[Mention]],
) -> dict[str, Helping]:
    """Return by id what became of each memory's theme in the sessions of its scope.

    `mentioned` are the statements alike to each (see `recurrence.mentions`); of these a friction
    point is an occurrence, as is a session that it cites; a session counts once. Before is from the
    scope's first session on.
    """
    found = {}
    for memory in memories:
        apart = {m.statement.entry_id for m in mentioned.get(memory.id, ()) if m.statement.friction}
        hits = apart | {item.source for item in memory.evidence}
        entries = [view.entry for view in sessions if in_scope(memory, view)]
        before = [entry.id for entry in entries if entry.created_at <= memory.created_at]
        since = [entry.id for entry in entries if entry.created_at > memory.created_at]
        found[memory.id] = judge(
            _rate(before, hits), _rate(since, hits), apart=_rate(before, apart).occurred
        )
    return found


def in_scope(memory: Memory, view: SessionView) -> bool:
    """Tell whether a session could have been helped by `memory`."""
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
    told = f"from {_said(before)} to {_said(since)}"
    if ratio is not None:
        bound = "no bound" if high is None else f"{high:.2g}"
        told += f" (rate ratio {ratio:.2g}, 95 % interval {low:.2g} to {bound})"
    few = min(before.sessions, since.sessions) < LEAST_SESSIONS
    few = few or before.occurred + since.occurred < LEAST_EVENTS
    if not few and high is not None and high < 1:
        return Helping("helped", f"helped: {told}", before, since, ratio, low, high)
    if not few and low > 1:
        words = f"came back more often: {told}"
        return Helping("came back more often", words, before, since, ratio, low, high)
    return Helping("too early to say", f"too early to say: {told}", before, since, ratio, low, high)


def _rate(entries: Sequence[str], hits: Collection[str]) -> Rate:
    return Rate(sum(entry in hits for entry in entries), len(entries))


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


def _said(rate: Rate) -> str:
    return f"{rate.occurred} in {rate.sessions} session{'' if rate.sessions == 1 else 's'}"
