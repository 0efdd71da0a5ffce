"""Did a memory's trouble come back? The sessions that met it again, and what that cost."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import comb
from typing import Literal

from calmkb.model.words import counted

TroubleVerdict = Literal["not hit since", "hit again", "too early"]
LEAST_SESSIONS = 5
"""Sessions since the approval, below which silence says nothing."""


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

    `since` is that moment, `sessions` how many of its scope came later, `sessions_since` how many
    of these after the approval. `met` them again before it was approved (all of them where it is
    not), `met_since` after. Those that may have met it are `possible` and `possible_since`: they
    widen the counts and are in neither. `cited` of `met` made it a memory.
    """

    id: str
    text: str
    approved_at: datetime | None
    since: datetime
    sessions: int
    sessions_since: int = 0
    met: tuple[Occurrence, ...] = ()
    met_since: tuple[Occurrence, ...] = ()
    possible: tuple[Occurrence, ...] = ()
    possible_since: tuple[Occurrence, ...] = ()
    cited: int = 0

    @property
    def saved(self) -> Cost:
        """What the sessions before the approval lost, as far as known."""
        return summed(self.met)

    @property
    def located(self) -> int:
        """How many of the sessions before the approval have a known cost."""
        return sum(one.cost is not None for one in self.met)

    @property
    def verdict(self) -> TroubleVerdict:
        """Whether the trouble came back since the approval; a proposal has none yet."""
        if self.met_since:
            return "hit again"
        return "not hit since" if self.sessions_since >= LEAST_SESSIONS else "too early"

    @property
    def chance(self) -> float | None:
        """How likely so few since are by chance; None where there is nothing to compare.

        What made it a memory is left out before, and what may be the same counted since.
        """
        before, hit = self.sessions - self.sessions_since, len(self.met) - self.cited
        again = len(self.met_since) + len(self.possible_since)
        if not (hit and self.sessions_since):
            return None
        return chance_of_fewer(hit, before, again, self.sessions_since)

    @property
    def words(self) -> str:
        """The verdict and its counts in one sentence, as every face prints it."""
        since, before = self.sessions_since, self.sessions - self.sessions_since
        again, was = hits(self.met_since, self.possible_since), hits(self.met, self.possible)
        found: str = "too early to say" if self.verdict == "too early" else self.verdict
        if since:
            found += f": {again} of {counted(since, 'session')} since its approval hit the problem"
        else:
            found += ": no session since its approval"
        if before:
            found += f"; before it, {was} of {before} {'did' if since else 'hit the problem'}"
        chance = self.chance
        return found + (f"; chance of so few: {chance:.2g}" if chance is not None else "")

    @property
    def turns(self) -> str:
        """The turns that a session lost before and since, in one line; "" where unknown."""
        sides = ("before", _turns(self.met)), ("since", _turns(self.met_since))
        return ", ".join(
            f"{sum(lost) / len(lost):.3g} a session {when} (known of {len(lost)})"
            for when, lost in sides
            if lost
        )


def chance_of_fewer(before: int, of: int, since: int, of_since: int) -> float:
    """Return how likely `since` or fewer of all hits fall into the later sessions, 0 to 1.

    Fisher's exact test (1922): each way to spread the hits over the sessions is as likely.
    """
    both = before + since
    ways = sum(comb(of_since, fewer) * comb(of, both - fewer) for fewer in range(since + 1))
    return ways / comb(of + of_since, both)


def summed(found: Iterable[Occurrence]) -> Cost:
    """Return the known costs together."""
    costs = [one.cost for one in found if one.cost]
    return Cost(
        sum(one.turns for one in costs),
        sum(one.minutes for one in costs),
        sum(one.tokens for one in costs),
    )


def _turns(met: Iterable[Occurrence]) -> list[int]:
    return [one.cost.turns for one in met if one.cost]


def hits(sure: Sequence[Occurrence], possible: Sequence[Occurrence]) -> str:
    """Return how many sessions met a trouble, and with those that may have: `3`, `3 to 5`."""
    most = len(sure) + len(possible)
    return f"{len(sure)} to {most}" if possible else str(most)
