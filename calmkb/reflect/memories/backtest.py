"""Had a memory stood from its first lesson on: which later sessions met the same trouble?"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from calmkb.model import GLOBAL_SCOPE, Evidence, Memory, Proposal
from calmkb.model.backtest import Backtest, Occurrence
from calmkb.reflect.similarity.same_trouble import SURE, same_trouble
from calmkb.reflect.statements.statements import Statement


@dataclass(frozen=True, slots=True)
class Lesson:
    """What is held against the history: a memory, or a proposal that nobody has approved."""

    id: str
    text: str
    scope: str
    evidence: tuple[Evidence, ...]
    approved_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Met:
    """A session of the history: when it was, where, and the agent's own id of it."""

    at: datetime
    project: str
    session_id: str


def lesson_of(one: Memory | Proposal) -> Lesson:
    """Return the lesson of a memory or a proposal."""
    approved = one.created_at if isinstance(one, Memory) else None
    return Lesson(one.id, one.text, one.scope, one.evidence, approved)


def backtest(
    lessons: Sequence[Lesson], statements: Sequence[Statement], sessions: Mapping[str, Met]
) -> list[Backtest]:
    """Return each lesson's backtest, in the order of the lessons; costs are not known yet.

    A friction point counts, and before the approval a learning too: that session learnt it again.
    The session that taught it first does not. What a person approved as evidence is sure.
    """
    told = [one for one in statements if one.friction and one.entry_id in sessions]
    texts = list(dict.fromkeys(one.text for one in told))
    by_text: dict[str, list[Statement]] = {text: [] for text in texts}
    for one in told:
        by_text[one.text].append(one)
    probes = [probe for number, one in enumerate(lessons) for probe in _probes(number, one)]
    found: list[dict[str, Occurrence]] = [{} for _ in lessons]
    for place, text, chance in same_trouble([probe.text for probe in probes], texts):
        probe = probes[place]
        for statement in by_text[texts[text]]:
            if _counts(statement, lessons[probe.lesson], probe, sessions):
                _keep(found[probe.lesson], statement, chance, sessions)
    return [
        _judged(one, _with_evidence(one, met, sessions), sessions)
        for one, met in zip(lessons, found, strict=True)
    ]


@dataclass(frozen=True, slots=True)
class _Probe:
    """Words of a lesson: its own, or a quote from a session, which does not find itself."""

    lesson: int
    source: str
    text: str


def _probes(number: int, lesson: Lesson) -> list[_Probe]:
    own = " ".join(lesson.text.split())
    quotes = [_Probe(number, item.source, " ".join(item.quote.split())) for item in lesson.evidence]
    # Words that were taken over as they stand are that session's, and would find it again.
    return (
        quotes if any(probe.text == own for probe in quotes) else [_Probe(number, "", own), *quotes]
    )


def _counts(said: Statement, lesson: Lesson, probe: _Probe, sessions: Mapping[str, Met]) -> bool:
    """Tell what was met by itself: a learning that an approved memory taught proves nothing."""
    approved = lesson.approved_at
    taught = said.learning and approved is not None and sessions[said.entry_id].at > approved
    return said.entry_id != probe.source and not taught


def _keep(
    found: dict[str, Occurrence], said: Statement, chance: float, sessions: Mapping[str, Met]
) -> None:
    known = found.get(said.entry_id)
    if known is None or chance > known.chance:
        found[said.entry_id] = Occurrence(
            session=said.entry_id, session_id=sessions[said.entry_id].session_id, date=said.date,
            quote=said.text, chance=chance,
        )  # fmt: skip


def _with_evidence(
    lesson: Lesson, found: dict[str, Occurrence], sessions: Mapping[str, Met]
) -> Iterable[Occurrence]:
    for item in lesson.evidence:
        if item.source in sessions:
            found[item.source] = Occurrence(
                session=item.source, session_id=sessions[item.source].session_id, date=item.date,
                quote=item.quote, chance=1.0,
            )  # fmt: skip
    return found.values()


def _judged(lesson: Lesson, found: Iterable[Occurrence], sessions: Mapping[str, Met]) -> Backtest:
    taught = [sessions[one.source].at for one in lesson.evidence if one.source in sessions]
    approved = lesson.approved_at
    since = min(taught, default=approved or max(s.at for s in sessions.values()))
    scope = lesson.scope.casefold()
    later = {
        name: one
        for name, one in sessions.items()
        if one.at > since and scope in (GLOBAL_SCOPE, one.project.casefold())
    }
    met = sorted(
        (one for one in found if one.session in later),
        key=lambda one: (later[one.session].at, one.session),
    )
    sure = {one.session for one in met if one.chance >= SURE}
    after = {one.session for one in met if approved and later[one.session].at > approved}
    return Backtest(
        id=lesson.id, text=lesson.text, approved_at=approved, since=since, sessions=len(later),
        met=tuple(one for one in met if one.session in sure - after),
        met_since=tuple(one for one in met if one.session in sure & after),
        possible=tuple(one for one in met if one.session not in sure | after),
        possible_since=tuple(one for one in met if one.session in after - sure),
    )  # fmt: skip
