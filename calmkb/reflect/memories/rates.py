"""Two rates of occurrences compared, a memory's or those of several together."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from calmkb.model import Rate

LEVEL = 0.05
"""The chance on each side that a bound of a rate ratio misses it."""
QUIET_SESSIONS = 5
"""Sessions without an occurrence added to those before, so that a cluster in few says less."""
_MANY_CITED = 3
_STEPS = 60
_WIDEST = 1e6


@dataclass(frozen=True, slots=True)
class Compared:
    """What was counted before and since, and what made it a memory.

    `counted` are the occurrences before that were found as a later one would be, `cited` the
    sessions that it was made of.
    """

    before: Rate
    since: Rate
    counted: int
    cited: int = 1

    @property
    def unselected(self) -> float:
        """Occurrences before that may speak for a higher rate: not those that made the memory.

        One is enough where few themes are frequent and many rare, as by Zipf's law; three cited
        sessions are more often a chance cluster, and half of another is left out.
        """
        return max(0.0, self.counted - (1.5 if self.cited >= _MANY_CITED else 1.0))

    @property
    def spare(self) -> int:
        """Occurrences before beyond all that were cited, promised whatever the themes' rates are.

        Given k or more of a Poisson count, those beyond k are no more than the count would be.
        """
        return max(0, self.counted - max(1, self.cited))


def fewer_chance(one: Compared, ratio: float = 1.0) -> float:
    """Return how likely so few occurrences since are, were the rate since `ratio` of before's.

    The mid-P value of the conditional binomial (Lancaster 1961), 0 to 1: of all occurrences each
    fell before with the share that the sessions and the ratio give.
    """
    if not (one.unselected and one.before.sessions and one.since.sessions):
        return 1.0
    sessions = one.before.sessions + QUIET_SESSIONS
    share = sessions / (sessions + ratio * one.since.sessions)
    return _mid(one.unselected, one.since.occurred, share)


def bounds(one: Compared) -> tuple[float, float | None]:
    """Return the 90 % interval of the rate ratio; None where there is no upper bound."""
    if not (one.before.sessions and one.since.sessions):
        return 0.0, None
    high = _crossing(lambda ratio: fewer_chance(one, ratio)) if one.unselected else None
    return _least(one) if one.since.occurred else 0.0, high


def pooled_bounds(several: Sequence[Compared]) -> tuple[float, float | None]:
    """Return the 90 % interval of the rate ratio that several have in common."""
    if not any(one.spare and one.since.sessions for one in several):
        return 0.0, None
    high = _crossing(lambda ratio: pooled_chance(several, ratio))
    met = any(one.since.occurred for one in several)
    low = _crossing(lambda ratio: pooled_chance(several, ratio, spare=False), 1 - LEVEL)
    return (low or 0.0) if met else 0.0, high


def pooled_chance(several: Sequence[Compared], ratio: float = 1.0, *, spare: bool = True) -> float:
    """Return how likely so few occurrences since are in all, were the rates `ratio` of before's.

    The mid-P value, 0 to 1. Each memory is expected to occur since as a negative binomial of what
    it did before (a Poisson rate whose own distribution is a gamma), by its `spare` occurrences or
    by all; their sum is taken for one that has its mean and its variance. Those without any are
    expected never to occur, and count all the same.
    """
    mean = spread = 0.0
    for one in several:
        size = one.spare if spare else one.counted
        if size and one.since.sessions:
            expected = size * ratio * one.since.sessions / one.before.sessions
            mean += expected
            spread += expected * expected / size
    met = sum(one.since.occurred for one in several)
    return _mid_of_sum(mean, spread, met)


def _mid_of_sum(mean: float, spread: float, met: int) -> float:
    """Return P(fewer than `met`) + P(`met`) / 2 of a negative binomial with this mean.

    `spread` is how much its variance exceeds the mean.
    """
    from scipy.special import betainc

    if not mean:
        return 1.0 if met else 0.5
    size, share = mean * mean / spread, mean / (mean + spread)
    fewer = float(betainc(size, met, share)) if met else 0.0
    return (fewer + float(betainc(size, met + 1, share))) / 2


def _least(one: Compared) -> float:
    """Return the lower bound: nothing is left out, so that no theme seems to come back."""

    def chance(ratio: float) -> float:
        share = one.before.sessions / (one.before.sessions + ratio * one.since.sessions)
        return _mid(one.before.occurred, one.since.occurred, share)

    return _crossing(chance, 1 - LEVEL) or 0.0


def _mid(before: float, since: int, share: float) -> float:
    """Return P(fewer than `since`) + P(`since`) / 2 of a binomial with `share` falling before."""
    from scipy.special import betainc  # a third of the time that scipy.stats takes to load

    fewer = float(betainc(before + 1, since, share)) if since else 0.0
    no_more = float(betainc(before, since + 1, share)) if before else 1.0
    return (fewer + no_more) / 2


def _crossing(chance: Callable[[float], float], level: float = LEVEL) -> float | None:
    """Return the ratio at which a chance that falls with it comes to `level`, if any does."""
    low, high = 1 / _WIDEST, _WIDEST
    if chance(high) > level:
        return None
    for _ in range(_STEPS):
        middle = (low * high) ** 0.5
        low, high = (middle, high) if chance(middle) > level else (low, middle)
    return high
