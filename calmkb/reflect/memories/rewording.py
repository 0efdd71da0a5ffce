"""Trouble that is new since a memory was approved: it may be the old one in other words."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from calmkb.model import GLOBAL_SCOPE, Helping, Memory, Rate
from calmkb.reflect.memories.effectiveness import judge
from calmkb.reflect.memories.recurrence import Mention
from calmkb.reflect.similarity.base import Method
from calmkb.reflect.similarity.pairs import similar_pairs
from calmkb.reflect.statements.statements import Statement

_QUOTED = 80


@dataclass(frozen=True, slots=True)
class _New:
    """Friction that no session before the approval met, and how many met it since."""

    text: str
    sessions: int


def unless_reworded(
    found: Mapping[str, Helping],
    memories: Sequence[Memory],
    statements: Sequence[Statement],
    times: Mapping[str, datetime],
    mentioned: Mapping[str, Sequence[Mention]],
    method: Method,
) -> dict[str, Helping]:
    """Return the verdicts, "helped" only where no new trouble may be the old one reworded.

    Similar words do not find what was reworded, so the most frequent friction that is new
    since the approval, and that no other memory answers, is counted as unknown: with it the upper
    bound must still be below 1. `times` are the sessions' by id.
    """
    made = dict(found)
    for memory in memories:
        helping = found.get(memory.id)
        if helping and helping.verdict == "helped":
            others = [one for one in memories if one.id != memory.id]
            heard = {(m.statement.entry_id, m.statement.text) for m in mentioned[memory.id]}
            rows = [s for s in statements if _counts(s, memory) and s.entry_id in times]
            rows = [s for s in rows if (s.entry_id, s.text) not in heard]
            new = _most_met(rows, memory.created_at, times, others, method)
            apart = {s.entry_id for s in (m.statement for m in mentioned[memory.id])
                     if s.friction and _at_most(times, s.entry_id, memory.created_at)}  # fmt: skip
            made[memory.id] = _widened(helping, new, len(apart)) if new else helping
    return made


def _at_most(times: Mapping[str, datetime], entry: str, latest: datetime) -> bool:
    return entry in times and times[entry] <= latest


def _counts(statement: Statement, memory: Memory) -> bool:
    met = memory.scope.casefold() in (GLOBAL_SCOPE, statement.project.casefold())
    return statement.friction and not statement.learning and met


def _most_met(
    rows: Sequence[Statement],
    approved: datetime,
    times: Mapping[str, datetime],
    others: Iterable[Memory],
    method: Method,
) -> _New | None:
    """Return the friction since `approved` that most sessions share and none before it met."""
    later = [number for number, s in enumerate(rows) if times[s.entry_id] > approved]
    if not later:
        return None
    answered = [text for one in others for text in (one.text, *(e.quote for e in one.evidence))]
    vectors = method.vectors([*(s.text for s in rows), *answered])
    known: set[int] = set()
    sessions: dict[int, set[str]] = {}
    for place, other, _ in similar_pairs(vectors[later], vectors, method.theme):
        if other >= len(rows) or times[rows[other].entry_id] <= approved:
            known.add(place)
        else:
            sessions.setdefault(place, set()).add(rows[other].entry_id)
    fresh = [_New(rows[later[p]].text, len(s)) for p, s in sessions.items() if p not in known]
    return max(fresh, key=lambda one: (one.sessions, one.text), default=None)


def _widened(helping: Helping, new: _New, apart: int) -> Helping:
    """Return the verdict with the new trouble as unknown: "helped" or too early to say."""
    since = helping.since
    unknown = min(new.sessions, since.sessions - since.occurred)
    wider = judge(helping.before, Rate(since.occurred + unknown, since.sessions), apart=apart)
    if wider.verdict == "helped":
        return helping
    text = new.text if len(new.text) <= _QUOTED else new.text[: _QUOTED - 1].rstrip() + "…"
    count = f"{new.sessions} session{'' if new.sessions == 1 else 's'}"
    words = helping.words.replace("helped: ", "too early to say: ", 1)
    words += f"; \u201c{text}\u201d is new since, in {count}, and may be the same trouble reworded"
    return replace(helping, verdict="too early to say", words=words, high=wider.high)
