"""What state a theme of friction is in, as an issue list has it: open, growing, answered, back."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Literal

State = Literal["came back", "growing", "open", "answered"]
STATES: tuple[State, ...] = ("came back", "growing", "open", "answered")
"""In the order in which a person looks at them."""

RECENT_DAYS = 28
"""What is recent: a trouble that stayed away for four weeks after its memory counts as answered."""
_LEAST_GROWTH = 2
"""Sessions in the recent days from which on an open theme may grow: one is chance."""
_HALF_LIFE_DAYS = 28


def state_of(days: Sequence[date], approved: date | None, today: date | None) -> State:
    """Return the state of a theme that came up on `days`.

    `approved` is the day of the memory that answers it, if one does.
    """
    if today is None:
        return "answered" if approved else "open"
    recently = today - timedelta(days=RECENT_DAYS)
    recent = sum(recently < day for day in days)
    if approved:
        back = any(day > max(approved, recently) for day in days)
        return "came back" if back else "answered"
    before = sum(recently - timedelta(days=RECENT_DAYS) < day <= recently for day in days)
    return "growing" if recent >= max(_LEAST_GROWTH, before + 1) else "open"


def recent_weight(days: Sequence[date], today: date | None) -> float:
    """Return how much a theme weighs today: a session counts half as much every four weeks."""
    if today is None:
        return float(len(days))
    return float(sum(0.5 ** (max(0, (today - day).days) / _HALF_LIFE_DAYS) for day in days))
