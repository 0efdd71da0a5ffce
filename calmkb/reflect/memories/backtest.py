"""Had a memory existed since its first lesson: which later sessions met the same trouble?"""

from bisect import bisect_right
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from calmkb.model import GLOBAL_SCOPE, Memory
from calmkb.model.memories.backtest import Backtest, Occurrence
from calmkb.reflect.memories.recurrence import Lesson, Mention
from calmkb.reflect.similarity.methods import SURE
from calmkb.reflect.statements.statements import Statement

_LAST = "\uffff"  # after every id


@dataclass(frozen=True, slots=True)
class Met:
    """A session of the history: when it was, where, the agent's own id of it, and its thread."""

    at: datetime
    project: str
    session_id: str
    thread: str = ""


def backtest(
    lessons: Sequence[Lesson],
    mentioned: Mapping[str, Sequence[Mention]],
    sessions: Mapping[str, Met],
) -> list[Backtest]:
    """Return each lesson's backtest, in the order of the lessons; costs are not known yet.

    `mentioned` are `recurrence.troubles_met`: a friction point counts, and before the approval a
    learning too, since that session learnt it again. The session that taught it first does not. Its
    own evidence is sure.
    """
    found, scopes = [], _by_scope(sessions)
    for lesson in lessons:
        met: dict[str, Occurrence] = {}
        for one in mentioned.get(lesson.id, ()):
            if _counts(one.statement, lesson, sessions):
                _keep(met, one, sessions)
        every = _with_evidence(lesson, met, sessions)
        found.append(_judged(lesson, every, sessions, scopes.get(lesson.scope.casefold(), ())))
    return found


def _by_scope(sessions: Mapping[str, Met]) -> dict[str, list[tuple[datetime, str]]]:
    """Return when each scope's sessions were, with their ids, so that a lesson costs a look-up."""
    found: dict[str, list[tuple[datetime, str]]] = {}
    for name, one in sessions.items():
        for scope in {GLOBAL_SCOPE, one.project.casefold()}:
            found.setdefault(scope, []).append((one.at, name))
    return {scope: sorted(times) for scope, times in found.items()}


def _counts(statement: Statement, lesson: Lesson, sessions: Mapping[str, Met]) -> bool:
    """Return whether it counts: a learning that an approved memory taught proves nothing."""
    if statement.entry_id not in sessions:
        return False
    approved = _approved(lesson)
    return not (statement.learning and approved and sessions[statement.entry_id].at > approved)


def _keep(found: dict[str, Occurrence], one: Mention, sessions: Mapping[str, Met]) -> None:
    session, statement = one.statement.entry_id, one.statement
    witness = sessions[session].thread or session
    known = found.get(witness)
    if known is None or one.similarity > known.chance:
        found[witness] = Occurrence(
            session=session, session_id=sessions[session].session_id, date=statement.date,
            quote=statement.text, chance=one.similarity,
        )  # fmt: skip


def _with_evidence(
    lesson: Lesson, found: dict[str, Occurrence], sessions: Mapping[str, Met]
) -> Collection[Occurrence]:
    for item in lesson.evidence:
        if item.source in sessions:
            found[sessions[item.source].thread or item.source] = Occurrence(
                session=item.source, session_id=sessions[item.source].session_id, date=item.date,
                quote=item.quote, chance=1.0,
            )  # fmt: skip
    return found.values()


def _judged(
    lesson: Lesson,
    found: Collection[Occurrence],
    sessions: Mapping[str, Met],
    times: Sequence[tuple[datetime, str]],
) -> Backtest:
    """Return the counts; `times` are those of the sessions of its scope."""
    approved, first = _approved(lesson), _first_taught(lesson, sessions)
    met = _met_after(first, lesson, found, sessions)
    sure = {one.session for one in met if one.chance >= SURE}
    after = {one.session for one in met if approved and sessions[one.session].at > approved}
    cited = {item.source for item in lesson.evidence} & sure - after
    return Backtest(
        id=lesson.id, text=lesson.text, approved_at=approved, since=first[0],
        sessions=len(times) - bisect_right(times, first),
        sessions_since=len(times) - bisect_right(times, (approved, _LAST)) if approved else 0,
        cited=len(cited),
        met=tuple(one for one in met if one.session in sure - after),
        met_since=tuple(one for one in met if one.session in sure & after),
        possible=tuple(one for one in met if one.session not in sure | after),
        possible_since=tuple(one for one in met if one.session in after - sure),
    )  # fmt: skip


def _approved(lesson: Lesson) -> datetime | None:
    return lesson.created_at if isinstance(lesson, Memory) else None


def _first_taught(lesson: Lesson, sessions: Mapping[str, Met]) -> tuple[datetime, str]:
    """Return the session that taught it first; of two of one second, the other comes after it."""
    taught = [(sessions[e.source].at, e.source) for e in lesson.evidence if e.source in sessions]
    latest = max((one.at for one in sessions.values()), default=datetime.max)
    return min(taught, default=(_approved(lesson) or latest, _LAST))


def _met_after(
    first: tuple[datetime, str],
    lesson: Lesson,
    found: Collection[Occurrence],
    sessions: Mapping[str, Met],
) -> list[Occurrence]:
    """Return those of its scope that came after the first, in the order of the sessions."""
    scope = lesson.scope.casefold()
    at = {one.session: (sessions[one.session].at, one.session) for one in found}
    own = (
        one for one in found
        if scope in (GLOBAL_SCOPE, sessions[one.session].project.casefold())
    )  # fmt: skip
    return sorted((one for one in own if at[one.session] > first), key=lambda o: at[o.session])
