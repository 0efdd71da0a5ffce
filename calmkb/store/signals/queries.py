"""Which signals somebody asks for, which may go, and how many there are of each kind."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from calmkb.model import Signal
from calmkb.store.signals.lines import Line

NEVER_REMOVED = ("promoted", "confirmed")
UNCATEGORIZED = "uncategorized"
_GROUPS: dict[str, Callable[[Signal], str]] = {
    "by_status": lambda one: one.status,
    "by_type": lambda one: one.type,
    "by_category": lambda one: one.category or UNCATEGORIZED,
}


@dataclass(frozen=True, slots=True)
class Asked:
    """What a signal must be: None asks for nothing."""

    status: str | None
    type: str | None
    session: str | None
    since: str
    tags: frozenset[str]

    def fits(self, one: Signal) -> bool:
        """Return whether a signal is all that is asked."""
        return (
            self.status in (None, one.status)
            and self.type in (None, one.type)
            and self.session in (None, one.session_id)
            and one.timestamp >= self.since
            and self.tags <= set(one.tags)
        )


def counts(signals: Sequence[Signal]) -> dict[str, Any]:
    """Return how many signals there are, in all and by status, type and category."""
    groups = {name: Counter(map(of, signals)) for name, of in _GROUPS.items()}
    return {"total": len(signals), **{name: dict(sorted(n.items())) for name, n in groups.items()}}


def may_go(line: Line, limit: str, status: str | None) -> bool:
    """Return whether a line is a signal from `limit` or before, of that status, and undecided."""
    one = line.signal
    return (
        one is not None
        and one.status not in NEVER_REMOVED
        and one.timestamp <= limit
        and status in (None, one.status)
    )
