"""What a knowledge base holds and the outcome of it, in numbers."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistics:
    """Counts over a knowledge base, or over what it was given since a day.

    `themes` are causes of friction, `recurring` those of two sessions or more, `unanswered` the
    recurring ones that no memory answers. `accepted` are proposals that became memories, `merged`
    those that went into an existing one; `review_hours` is the median from a session's end to its
    review. Rates and medians of nothing are None. `helped` counts the verdicts on whether each
    memory's trouble came back (`Backtest.verdict`). `standing` and
    `digest_tokens` are as of today, and None where that is not asked.
    """

    entries: int
    unreflected: int
    projects: int
    friction_points: int
    friction_per_session: float | None
    themes: int
    recurring: int
    unanswered: int
    memories: Mapping[str, int]
    scopes: Mapping[str, int]
    standing: Mapping[str, int] | None
    digest_tokens: int | None
    reflections: int
    accepted: int
    merged: int
    rejected: int
    acceptance_rate: float | None
    review_hours: float | None
    improvements: Mapping[str, int]
    feedback: Mapping[str, int]
    helped: Mapping[str, int]
