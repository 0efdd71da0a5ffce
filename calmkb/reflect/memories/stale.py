"""Which memories a person should review again, and why; none is removed automatically."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from calmkb.model import GLOBAL_SCOPE, KEPT, Feedback, Memory, Standing
from calmkb.model.memories.backtest import Backtest
from calmkb.reflect.memories.confidence import current_confidence
from calmkb.reflect.memories.recurrence import Mention
from calmkb.reflect.opposites.compare import contradicts, opposed
from calmkb.reflect.proposals.verdicts import CONFLICT_SHARE
from calmkb.reflect.statements.statements import Statement

GroundKind = Literal["harmful", "contradicted", "brittle", "stale", "unused"]
STALE = 0.2
"""A standing below it is worth a look: one session's support after 300 days at the default rate."""


@dataclass(frozen=True, slots=True)
class Ground:
    """Why a memory may be out of date; `since` is when that came up, if it came up at a time.

    `other` is the id of the memory or session that speaks against it.
    """

    kind: GroundKind
    words: str
    since: datetime | None = None
    other: str = ""


@dataclass(frozen=True, slots=True)
class Retirement:
    """A memory proposed for retirement, the confidence in it, and the grounds."""

    memory: Memory
    standing: Standing
    grounds: tuple[Ground, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryHistory:
    """All that speaks for and against memories, by memory id.

    `mentioned` are similar statements, `similar` pairs of id and similarity, `missing` the files
    that a memory names and the repository has no longer; `tests` tell whether its trouble came
    back, `spoken` is when each session was.
    """

    feedback: Mapping[str, Sequence[Feedback]]
    mentioned: Mapping[str, Sequence[Mention]]
    similar: Mapping[str, Sequence[tuple[str, float]]]
    missing: Mapping[str, Sequence[str]]
    tests: Mapping[str, Backtest]
    spoken: Mapping[str, datetime]


def propose_retirement(
    memories: Sequence[Memory],
    history: MemoryHistory,
    *,
    now: datetime,
    half_life_days: float,
    duplicate: float,
) -> tuple[Retirement, ...]:
    """Return the memories to look at again, those with the most against them first.

    One that a person has kept is not asked about again until something happened since, or a
    half-life has passed. `duplicate` is the similarity from which two texts say the same.
    """
    period = timedelta(days=half_life_days)
    by_id = {memory.id: memory for memory in memories}
    found = []
    for memory in memories:
        given = history.feedback.get(memory.id, ())
        confidence = current_confidence(memory, given, now=now, half_life_days=half_life_days)
        grounds = [
            *_harmful(given),
            *_contradicted(memory, by_id, history, duplicate * CONFLICT_SHARE),
            *_missing_files(history.missing.get(memory.id, ())),
            *_stale(confidence),
            *_unused(memory, history, now, period),
        ]
        kept = max((f.created_at for f in given if f.verdict == KEPT), default=None)
        if kept is not None and now - kept < period:
            grounds = [ground for ground in grounds if ground.since and ground.since > kept]
        if grounds:
            found.append(Retirement(memory, confidence, tuple(grounds)))
    return tuple(sorted(found, key=_rank))


def _harmful(given: Sequence[Feedback]) -> Iterator[Ground]:
    harmful = [f for f in given if f.verdict == "harmful"]
    helpful = sum(f.verdict == "helpful" for f in given)
    if len(harmful) > helpful:
        newest = max(f.created_at for f in harmful)
        words = f"verdicts on it: {len(harmful)} harmful, {helpful} helpful"
        yield Ground("harmful", words, newest)


def _contradicted(
    memory: Memory, by_id: Mapping[str, Memory], history: MemoryHistory, level: float
) -> Iterator[Ground]:
    """A newer memory opposes it (or takes its place), or a session since says the opposite."""
    for identity, share in history.similar.get(memory.id, ()):
        other = by_id[identity]
        newer = (other.created_at, other.id) > (memory.created_at, memory.id)
        if (
            newer
            and share >= level
            and meet(memory.scope, other.scope)
            and opposed(memory.text, other.text)
        ):
            words = f"a newer memory says otherwise: {other.text}"
            yield Ground("contradicted", words, other.created_at, other.id)
    for other in by_id.values():
        if other.supersedes == memory.id:
            words = f"a newer memory takes its place: {other.text}"
            yield Ground("contradicted", words, other.created_at, other.id)
    near = (one.statement for one in history.mentioned.get(memory.id, ()))
    found = [one for one in near if _speaks_against(memory, one, history)]
    if found:
        last = found[-1]
        words = f"a session since says the opposite: {last.text}"
        yield Ground("contradicted", words, history.spoken[last.entry_id], last.entry_id)


def _speaks_against(memory: Memory, statement: Statement, history: MemoryHistory) -> bool:
    later = history.spoken[statement.entry_id] > memory.created_at
    met = memory.scope.casefold() in (GLOBAL_SCOPE, statement.project.casefold())
    return later and met and contradicts(memory.text, statement.text)


def _missing_files(missing: Sequence[str]) -> Iterator[Ground]:
    if missing:
        yield Ground("brittle", f"names what the repository no longer has: {', '.join(missing)}")


def _stale(confidence: Standing) -> Iterator[Ground]:
    if confidence.value < STALE:
        words = f"nothing has confirmed it in a long time (confidence {confidence.value:.2f})"
        yield Ground("stale", words)


def _unused(
    memory: Memory, history: MemoryHistory, now: datetime, period: timedelta
) -> Iterator[Ground]:
    """Nobody said that it helped, and its trouble was not hit for a half-life."""
    if any(f.verdict == "helpful" for f in history.feedback.get(memory.id, ())):
        return
    test = history.tests[memory.id]
    hits = (history.spoken[one.session] for one in (*test.met_since, *test.possible_since))
    last = max(hits, default=memory.created_at)
    quiet = now - max(last, memory.created_at)
    if quiet >= period:
        yield Ground(
            "unused",
            f"nobody said that it helped, and its trouble was not hit for {quiet.days} days",
        )


def meet(one: str, other: str) -> bool:
    """Return whether there is a place where both scopes hold."""
    scopes = {one.casefold(), other.casefold()}
    return len(scopes) == 1 or GLOBAL_SCOPE in scopes


_WEIGHT: dict[GroundKind, int] = {
    "harmful": 5, "contradicted": 4, "brittle": 3, "stale": 2, "unused": 1,
}  # fmt: skip


def _rank(item: Retirement) -> tuple[int, float, str]:
    weight = sum({_WEIGHT[ground.kind] for ground in item.grounds})
    return (-weight, item.standing.value, item.memory.id)
