"""What state a trouble is in: came back, new, open, not hit since, or answered by a memory."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Literal

State = Literal["came back", "new", "open", "not hit since", "answered"]
STATES: tuple[State, ...] = ("came back", "new", "open", "not hit since", "answered")
"""In the order in which a person looks at them."""

RECENT_DAYS = 28
"""What is recent: a trouble that stayed away for four weeks after its memory counts as answered."""
QUIET_DAYS = 14  # days without it, from which on a trouble is one that was not hit since
QUIET_SESSIONS = 5
"""Sessions without it that must have been held in those days: a holiday proves nothing."""
_HALF_LIFE_DAYS = 28


def state_of(
    days: Sequence[date], approved: date | None, today: date | None, held: Sequence[date] = ()
) -> State:
    """Return the state of a trouble that came up on `days`.

    `approved` is the day of the memory that answers it, if one does; `held` are the days of all
    sessions, oldest first. Nothing is new where the sessions do not go back further than it.
    """
    if today is None or not days:
        return "answered" if approved else "open"
    first, last = min(days), max(days)
    if approved:
        recently = today - timedelta(days=RECENT_DAYS)
        return "came back" if last > max(approved, recently) else "answered"
    quiet, since = quiet_of(days, today, held)
    if quiet >= QUIET_DAYS and since >= QUIET_SESSIONS:
        return "not hit since"
    before = bisect_left(held, first)
    is_new = (today - first).days < QUIET_DAYS and before >= QUIET_SESSIONS
    return "new" if is_new else "open"


def quiet_of(days: Sequence[date], today: date, held: Sequence[date]) -> tuple[int, int]:
    """Return how many days ago a trouble came up last, and the sessions held after that day."""
    return (today - max(days)).days, len(held) - bisect_right(held, max(days))


def recent_weight(days: Sequence[date], today: date | None) -> float:
    """Return how much a theme weighs today: a session counts half as much every four weeks."""
    if today is None:
        return float(len(days))
    return float(sum(0.5 ** (max(0, (today - day).days) / _HALF_LIFE_DAYS) for day in days))
