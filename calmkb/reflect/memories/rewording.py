"""Trouble that is new since a memory was approved: it may be the old one in other words."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from calmkb.model import GLOBAL_SCOPE, Helping, Memory, Rate
from calmkb.reflect.memories.effectiveness import judge, trouble
from calmkb.reflect.memories.recurrence import Mention
from calmkb.reflect.similarity.base import Method
from calmkb.reflect.similarity.pairs import similar_pairs
from calmkb.reflect.similarity.same_trouble import SURE
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
    asked = [m for m in memories if m.id in found and found[m.id].verdict == "helped"]
    if not asked:
        return made
    friction = _Friction([s for s in statements if s.entry_id in times], memories, times, method)
    for memory in asked:
        said = [m.statement for m in mentioned[memory.id] if m.similarity >= SURE]
        if new := friction.most_met_since(memory, said):
            counted = (s for s in said if trouble(s) and _in_scope(s, memory))
            apart = {s.entry_id for s in counted if _by(times, s, memory)}
            made[memory.id] = _widened(found[memory.id], new, len(apart))
    return made


class _Friction:
    """What is near each text of friction: other texts, and memories that answer it."""

    def __init__(
        self,
        statements: Iterable[Statement],
        memories: Iterable[Memory],
        times: Mapping[str, datetime],
        method: Method,
    ) -> None:
        self._times = times
        self._said: dict[str, list[Statement]] = {}
        for one in statements:
            if one.friction and not one.learning:
                self._said.setdefault(one.text, []).append(one)
        texts = list(self._said)
        answers = [(m.id, t) for m in memories for t in (m.text, *(e.quote for e in m.evidence))]
        self._near: dict[str, list[str]] = {text: [] for text in texts}
        self._answered: dict[str, set[str]] = {text: set() for text in texts}
        vectors = method.vectors([*texts, *(text for _, text in answers)])
        for place, other, _ in similar_pairs(vectors[: len(texts)], vectors, method.theme):
            if other < len(texts):
                self._near[texts[place]].append(texts[other])
            else:
                self._answered[texts[place]].add(answers[other - len(texts)][0])

    def most_met_since(self, memory: Memory, said: Iterable[Statement]) -> _New | None:
        """Return the friction since the approval that most sessions share and none before met.

        What is `said` of the memory's own trouble is left out.
        """
        own = {(one.entry_id, one.text) for one in said}
        fresh = [
            _New(text, len(later))
            for text in self._said
            if not self._answered[text] - {memory.id}
            and (later := self._only_later(text, memory, own))
        ]
        return max(fresh, key=lambda one: (one.sessions, one.text), default=None)

    def _only_later(self, text: str, memory: Memory, own: set[tuple[str, str]]) -> set[str]:
        """Return the sessions near a text; none where one of them was before the approval."""
        met = [
            one
            for near in {text, *self._near[text]}
            for one in self._said[near]
            if _in_scope(one, memory) and (one.entry_id, one.text) not in own
        ]
        if any(_by(self._times, one, memory) for one in met):
            return set()
        return {one.entry_id for one in met}


def _in_scope(statement: Statement, memory: Memory) -> bool:
    return memory.scope.casefold() in (GLOBAL_SCOPE, statement.project.casefold())


def _by(times: Mapping[str, datetime], statement: Statement, memory: Memory) -> bool:
    """Tell whether a statement was made by the time of a memory's approval."""
    made = times.get(statement.entry_id)
    return made is not None and made <= memory.created_at


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
