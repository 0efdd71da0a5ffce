"""Trouble that is new since a memory was approved: it may be the old one in other words."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from calmkb.model import GLOBAL_SCOPE, Helping, Memory
from calmkb.model.words import counted, short_line
from calmkb.reflect.memories.effectiveness import cited_sessions, found_before, trouble, unless_met
from calmkb.reflect.memories.recurrence import Mention
from calmkb.reflect.similarity.methods import SURE, Method
from calmkb.reflect.similarity.near import similar_pairs
from calmkb.reflect.statements.statements import Statement

_QUOTED = 80
_RECURRING = 2
"""Sessions of a new trouble, below which it is what any session meets once."""


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
        sure = [m.statement for m in mentioned[memory.id] if m.similarity >= SURE]
        if new := friction.most_met_since(memory, sure):
            mattering = (s for s in sure if trouble(s) and _in_scope(s, memory))
            apart = {s.entry_id for s in mattering if _by(times, s, memory)}
            again = found_before(memory, apart, len(apart))
            made[memory.id] = unless_met(
                found[memory.id], new.sessions, apart=again, cited=cited_sessions(memory),
                why=_named(new),
            )  # fmt: skip
    return made


def reworded_at_most(
    memories: Sequence[Memory],
    statements: Sequence[Statement],
    times: Mapping[str, datetime],
    mentioned: Mapping[str, Sequence[Mention]],
    method: Method,
) -> dict[str, int]:
    """Return by memory id in how many sessions a new trouble may be its old one reworded.

    A trouble is one memory's at most, the most frequent ones first.
    """
    friction = _Friction([s for s in statements if s.entry_id in times], memories, times, method)
    fresh = {
        memory.id: friction.met_since(
            memory, [m.statement for m in mentioned[memory.id] if m.similarity >= SURE]
        )
        for memory in memories
    }
    found, taken = dict.fromkeys(fresh, 0), set[str]()
    ranked = sorted(((new, name) for name, those in fresh.items() for new in those), key=_rank)
    for new, name in ranked:
        if not found[name] and new.text not in taken:
            found[name] = new.sessions
            taken |= {new.text, *friction.near(new.text)}
    return found


def _rank(one: tuple[_New, str]) -> tuple[int, str, str]:
    new, name = one
    return -new.sessions, new.text, name


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
        self._recurring = [text for text in texts if self._is_recurring(text)]

    def _is_recurring(self, text: str) -> bool:
        sessions = {one.entry_id for near in (text, *self._near[text]) for one in self._said[near]}
        return len(sessions) >= _RECURRING

    def near(self, text: str) -> Sequence[str]:
        """Return the texts of friction similar to one."""
        return self._near[text]

    def most_met_since(self, memory: Memory, mentions: Iterable[Statement]) -> _New | None:
        """Return what most sessions share of what `met_since` returns."""
        fresh = self.met_since(memory, mentions)
        return max(fresh, key=lambda one: (one.sessions, one.text), default=None)

    def met_since(self, memory: Memory, mentions: Iterable[Statement]) -> list[_New]:
        """Return the friction of several sessions since the approval that none before met.

        What is mentioned of the memory's own trouble is left out.
        """
        own = {(one.entry_id, one.text) for one in mentions}
        fresh = (
            _New(text, len(self._only_later(text, memory, own)))
            for text in self._recurring
            if not self._answered[text] - {memory.id}
        )
        return [one for one in fresh if one.sessions >= _RECURRING]

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
    """Return whether a statement was made by the time of a memory's approval."""
    made = times.get(statement.entry_id)
    return made is not None and made <= memory.created_at


def _named(new: _New) -> str:
    text, count = short_line(new.text, _QUOTED), counted(new.sessions, "session")
    return f"; \u201c{text}\u201d is new since, in {count}, and may be the same trouble reworded"
