"""What a memory would have saved: the later sessions that met its trouble, and what that cost."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Cost:
    """What a trouble cost a session: calls of tools, minutes, and tokens, 0 where unknown."""

    turns: int = 0
    minutes: float = 0.0
    tokens: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Occurrence:
    """A session that met the trouble, in its own words; `cost` is None where nobody knows.

    `chance` that it is the same trouble is 0 to 1, 1 where a person approved it as evidence.
    """

    session: str
    session_id: str
    date: str
    quote: str
    chance: float
    cost: Cost | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Backtest:
    """A memory, or a proposal, held against the sessions since its lesson was first met.

    `since` is that moment, `sessions` how many of its scope came later. `met` them again before
    it was approved (all of them where it is not), `met_since` after. Those that may have met it are
    `possible` and `possible_since`: they widen the counts and are in neither.
    """

    id: str
    text: str
    approved_at: datetime | None
    since: datetime
    sessions: int
    met: tuple[Occurrence, ...] = ()
    met_since: tuple[Occurrence, ...] = ()
    possible: tuple[Occurrence, ...] = ()
    possible_since: tuple[Occurrence, ...] = ()

    @property
    def saved(self) -> Cost:
        """What the sessions before the approval lost, as far as known."""
        return summed(self.met)

    @property
    def located(self) -> int:
        """How many of the sessions before the approval have a known cost."""
        return sum(one.cost is not None for one in self.met)


def summed(found: Iterable[Occurrence]) -> Cost:
    """Return the known costs together."""
    costs = [one.cost for one in found if one.cost]
    return Cost(
        sum(one.turns for one in costs),
        sum(one.minutes for one in costs),
        sum(one.tokens for one in costs),
    )
