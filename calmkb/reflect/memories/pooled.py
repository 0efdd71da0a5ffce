"""Did several memories help together? A small effect on each is seen in all of them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from calmkb.model import Helping, Memory, Rate, SessionView
from calmkb.reflect.memories.effectiveness import Scopes, sessions_met, verdict_of
from calmkb.reflect.memories.rates import Compared, pooled_bounds
from calmkb.reflect.memories.recurrence import Mention

LEAST_MEMORIES = 2
"""Memories with sessions before and since, below which there is nothing to pool."""


@dataclass(frozen=True, slots=True)
class Counted:
    """A memory's occurrences before and since, and sessions since that only may be some."""

    memory: Memory
    compared: Compared
    unsure: int = 0

    @property
    def widened(self) -> Compared:
        """All that may have been the trouble counted as if it had."""
        since = self.compared.since
        most = min(since.occurred + self.unsure, since.sessions)
        return replace(self.compared, since=Rate(most, since.sessions))


def counted(
    memories: Sequence[Memory],
    sessions: Sequence[SessionView],
    mentioned: Mapping[str, Sequence[Mention]],
) -> list[Counted]:
    """Return the counts of each; a statement counts for the memory that it is most similar to."""
    scopes, own, found = Scopes(sessions), _closest(mentioned), []
    for memory in memories:
        sure, possible = sessions_met(own.get(memory.id, ()))
        cited = {item.source for item in memory.evidence}
        before, since = scopes.rates(memory, sure | cited)
        made_of = scopes.rates(memory, cited)[0].occurred
        unsure = scopes.rates(memory, possible - cited)[1].occurred
        compared = Compared(before, since, before.occurred, made_of)
        found.append(Counted(memory, compared, unsure))
    return found


def together(
    several: Iterable[Counted], reworded: Callable[[], Mapping[str, int]]
) -> Helping | None:
    """Return whether memories helped together; None where too few have sessions since.

    It says "helped" only where that holds although every unsure session met the trouble, and those
    that `reworded` tells of each memory by id: a new trouble may be an old one in other words.
    """
    those = [one for one in several if one.compared.since.sessions]
    if len(those) < LEAST_MEMORIES:
        return None
    found = _verdict([one.compared for one in those])
    if found.verdict != "helped":
        return found
    more = reworded()
    those = [replace(one, unsure=one.unsure + more.get(one.memory.id, 0)) for one in those]
    wider = _verdict([one.widened for one in those])
    if wider.verdict == "helped":
        return found
    unsure = sum(one.unsure for one in those)
    words = found.words.replace("helped: ", "too early to say: ", 1)
    words += f"; {unsure} more may be the same troubles in other words"
    return replace(found, verdict="too early to say", words=words, high=wider.high)


def _verdict(several: Sequence[Compared]) -> Helping:
    """Return the verdict; what made the memories is in no count."""
    before = Rate(sum(one.spare for one in several), sum(one.before.sessions for one in several))
    since = Rate(
        sum(one.since.occurred for one in several), sum(one.since.sessions for one in several)
    )
    summary = (
        f"{len(several)} memories met their troubles {before.occurred} times before, beyond those"
        f" that made them, and {since.occurred} since"
    )
    low, high = pooled_bounds(several)
    return verdict_of(summary, Compared(before, since, before.occurred), low, high, alone=False)


def _closest(mentioned: Mapping[str, Sequence[Mention]]) -> dict[str, list[Mention]]:
    """Return by memory what is said of it more than of any other."""
    best: dict[tuple[str, str], tuple[float, str]] = {}
    for identity, those in mentioned.items():
        for one in those:
            key = (one.statement.entry_id, one.statement.text)
            best[key] = max(best.get(key, (0.0, "")), (one.similarity, identity))
    return {
        identity: [
            one for one in those if best[one.statement.entry_id, one.statement.text][1] == identity
        ]
        for identity, those in mentioned.items()
    }
