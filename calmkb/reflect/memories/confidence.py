"""The confidence in a memory today: it fades without support, and is not stored."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta

from calmkb.model import CONFIDENCES, Confidence, Feedback, Memory, Standing

_SESSIONS: dict[Confidence, int] = {"low": 1, "medium": 2, "high": 3}
_WORDS: tuple[tuple[Confidence, float], ...] = (("high", 2.5), ("medium", 1.5), ("low", 0.0))
"""Supports from which a word holds: half-way between those that the words mean."""
_DAY = timedelta(days=1)


def current_confidence(
    memory: Memory, verdicts: Iterable[Feedback], *, now: datetime, half_life_days: float
) -> Standing:
    """Return the confidence in `memory` at `now`: (1 - 2^-n) * (1 + u) / (1 + u + v).

    n sums 2^(-age / half-life) over its supports: each session of its evidence, each helpful
    verdict, and as many sessions as its recorded confidence means (low 1, medium 2, high 3)
    where its evidence names fewer. Approval renews what it was given on. u and v count all helpful
    and harmful `verdicts` on it, whatever their age.

    The first factor is a noisy-or (Pearl 1988, 4.3.2): each support halves the doubt that is left.
    Supports fade exponentially, as in half-life regression (Settles & Meeder 2016). The second is
    Laplace's rule of succession with the approval as one success; it does not fade, so that without
    new support it never rises. A fresh memory has 0.5, 0.75 or 0.875.
    """
    given = [verdict for verdict in verdicts if verdict.verdict in ("helpful", "harmful")]
    helpful = [verdict.created_at for verdict in given if verdict.verdict == "helpful"]
    dates = [*_supported(memory), *helpful]
    n = sum(0.5 ** (max(0.0, (now - at) / _DAY) / half_life_days) for at in dates)
    trust = (1 + len(helpful)) / (1 + len(given))
    value = (1 - 0.5**n) * trust
    word = next((word for word, least in _WORDS if value >= 1 - 0.5**least), CONFIDENCES[0])
    return Standing(value, word)


def last_support(memory: Memory, verdicts: Iterable[Feedback]) -> datetime:
    """Return when something last spoke for `memory`: its evidence, its approval, a verdict."""
    helpful = (verdict.created_at for verdict in verdicts if verdict.verdict == "helpful")
    return max((*_supported(memory), *helpful), default=memory.created_at)


def _supported(memory: Memory) -> Sequence[datetime]:
    """Return when each of the sessions that speak for `memory` counts from."""
    newest: dict[str, datetime] = {}
    for item in memory.evidence:
        if day := _day(item.date):
            key = item.source or item.quote
            newest[key] = max(day, newest.get(key, memory.created_at))
    missing = max(0, _SESSIONS[memory.confidence] - len(newest))
    return [*newest.values(), *[memory.created_at] * missing]


def _day(date: str) -> datetime | None:
    """Return the day, or None for what a person wrote in a form of their own."""
    try:
        found = datetime.fromisoformat(date)
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)
