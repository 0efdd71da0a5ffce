"""Four analysts read the sessions not reflected on: programs of the user, run in parallel."""

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, replace

from calmkb.errors import CalmError
from calmkb.hook import CHILD
from calmkb.kb.base.approvals import require
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.reflect.reflection import pending
from calmkb.kb.trust.programs import analysts_request
from calmkb.model import Entry, Proposal
from calmkb.store.local.spending import note_spending
from calmkb.system.agent_result import ask_program
from calmkb.wings.analysts.answers import Answer, proposals_from, read_answer
from calmkb.wings.analysts.plan import (
    BATCH,
    SPENT_FOR,
    AnalystAnswers,
    command_of,
    load_answers,
    readings_of,
    require_budget,
    save_answers,
    unread_sessions,
)
from calmkb.wings.analysts.questions import (
    ANALYSTS,
    VERSION,
    Analyst,
    Candidate,
    Insight,
    SessionReading,
    prompt,
)

_CANDIDATES = 30


@dataclass(frozen=True, slots=True)
class Report:
    """The answer of one analyst, and how many seconds it took."""

    analyst: str
    answer: Answer
    seconds: float


@dataclass(frozen=True, slots=True)
class AnalystRun:
    """The sessions that were read, and the reports in the order of the analysts."""

    sessions: tuple[str, ...]
    reports: tuple[Report, ...]
    prompt_version: int = VERSION

    @property
    def insights(self) -> tuple[Insight, ...]:
        """All sound insights."""
        return tuple(one for report in self.reports for one in report.answer.insights)

    @property
    def dollars(self) -> float | None:
        """What it cost, as far as the programs reported it; None if none did."""
        costs = [r.answer.dollars for r in self.reports if r.answer.dollars is not None]
        return sum(costs) if costs else None


def analyse(
    kb: KnowledgeBase, on_report: Callable[[Report], None] = lambda report: None
) -> AnalystRun:
    """Ask the analysts about the oldest sessions they have not read; keep the answers for review.

    `on_report` is called with each report as it comes. Raises TrustError where the configured
    command is not approved, CalmError where the day's budget is spent, the command is not a command
    line or no analyst gave an answer that can be read; then nothing is kept.
    """
    require(kb, analysts_request(kb))
    batch = unread_sessions(kb)[:BATCH]
    if not batch:
        return AnalystRun((), ())
    require_budget(kb)
    ids = tuple(view.entry.id for view in batch)
    reports = _ask_all(kb, readings_of(batch), _candidates(kb, ids), on_report)
    done = AnalystRun(ids, reports)
    if done.dollars is not None:
        note_spending(kb.environment.state, kb.environment.now(), done.dollars, SPENT_FOR)
    if not any(report.answer.insights or not report.answer.faults for report in reports):
        faults = "; ".join(f"{r.analyst}: {r.answer.faults[0]}" for r in reports)
        raise CalmError(
            f"no analyst gave an answer that can be read ({faults}); "
            "check `command` and `seconds` under [analysts] in the configuration"
        )
    _keep(kb, done)
    return done


def _candidates(kb: KnowledgeBase, ids: Sequence[str]) -> list[Candidate]:
    """Return what comparing words proposes of these sessions, and what it only held back."""
    made = pending(kb).proposals
    found = (
        Candidate(one.text, tuple(e.source[:8] for e in one.evidence if e.source in ids))
        for one in (*made.open, *made.held)
    )
    return [one for one in found if one.sessions][:_CANDIDATES]


def _keep(kb: KnowledgeBase, done: AnalystRun) -> None:
    clean = kb.redactor.text
    made = (
        replace(
            one,
            content=clean(one.content).strip(),
            reasoning=clean(one.reasoning),
            quote=clean(one.quote),
        )
        for one in done.insights
    )
    state = kb.environment.state
    known = load_answers(state, kb.root).without(done.sessions)
    kept = (*known.insights, *(one for one in made if one.content))
    save_answers(state, kb.root, AnalystAnswers(kept, known.read.union(done.sessions)))


def _ask_all(
    kb: KnowledgeBase,
    readings: Sequence[SessionReading],
    candidates: Sequence[Candidate],
    on_report: Callable[[Report], None],
) -> tuple[Report, ...]:
    command = command_of(kb)
    seconds = kb.config.analysts.seconds
    env = {**kb.environment.env, CHILD: "1"}
    sources = {one.view.entry.id: one.text for one in readings}
    reports: dict[str, Report] = {}

    def ask(analyst: Analyst) -> Report:
        begun = time.monotonic()
        asked = prompt(analyst, readings, candidates)
        result = ask_program(command, asked, env=env, seconds=seconds)
        answer = read_answer(result, analyst.name, sources)
        return Report(analyst.name, answer, time.monotonic() - begun)

    with ThreadPoolExecutor(len(ANALYSTS)) as pool:
        for done in as_completed([pool.submit(ask, analyst) for analyst in ANALYSTS]):
            report = done.result()
            reports[report.analyst] = report
            on_report(report)
    return tuple(reports[analyst.name] for analyst in ANALYSTS)


def proposals_added(kb: KnowledgeBase, entries: Mapping[str, Entry]) -> list[Proposal]:
    """Return what the analysts proposed of `entries`, which no review has covered."""
    return proposals_from(load_answers(kb.environment.state, kb.root).insights, entries)


def sessions_done(kb: KnowledgeBase, entries: Collection[str]) -> None:
    """Drop the answers about sessions that are reviewed or forgotten."""
    state = kb.environment.state
    save_answers(state, kb.root, load_answers(state, kb.root).without(entries))
