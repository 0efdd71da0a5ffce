"""What a memory is worth to the next session, 0 to 1, with the reasons in view."""

from dataclasses import dataclass

from calmkb.model import GLOBAL_SCOPE, Memory

_IMPORTANCE, _STANDING, _RECURRENCE, _RECENCY, _FIT = 0.45, 0.25, 0.15, 0.10, 0.05
_FULL_RECURRENCE = 4
_HALF_LIFE_DAYS = 120


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of a memory beside its file.

    `standing` is 0 to 1 (confidence today, verdicts in it), `sessions` met it, `age_days`
    have passed since it was last met or approved.
    """

    standing: float = 0.5
    sessions: int = 1
    age_days: float = 0.0
    helpful: int = 0
    harmful: int = 0


def worth(memory: Memory, facts: Facts) -> float:
    """Return importance, standing, recurrence, recency and fit of scope, weighed and summed.

    The weights are a choice: what a person set counts most, what sessions and verdicts say next.
    More harm than help halves it.
    """
    recurrence = min(facts.sessions, _FULL_RECURRENCE) / _FULL_RECURRENCE
    recency = 0.5 ** (max(facts.age_days, 0.0) / _HALF_LIFE_DAYS)
    fit = 0.0 if memory.scope.casefold() == GLOBAL_SCOPE else 1.0
    total = (
        _IMPORTANCE * memory.importance
        + _STANDING * facts.standing
        + _RECURRENCE * recurrence
        + _RECENCY * recency
        + _FIT * fit
    )
    doubt = 0.5 if facts.harmful > facts.helpful else 1.0
    return round(float(total * doubt), 4)
