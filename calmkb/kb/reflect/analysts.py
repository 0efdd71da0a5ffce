"""Four analysts read the sessions not reflected on: programs of the user, run in parallel."""

import shlex
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, replace
from pathlib import Path

from calmkb.capture.condense import condensed_text
from calmkb.capture.formats.table import read_transcript
from calmkb.errors import CalmError, TranscriptError
from calmkb.hook import CHILD
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.journal.sessions import list_sessions
from calmkb.kb.trust import require
from calmkb.kb.trust.programs import analysts_request
from calmkb.model import Insight, SessionView
from calmkb.reflect.analysts.answers import Answer, attributed, read_answer
from calmkb.reflect.analysts.questions import ANALYSTS, Analyst, SessionReading, prompt
from calmkb.store.local.analyst_answers import load_insights, save_insights
from calmkb.system.run_program import Ended, run_program

BATCH = 10
"""Sessions that are read at once, the oldest first."""
_LOGS = 120_000
"""Characters of all logs together that an analyst gets: some 30,000 tokens."""


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
    """Ask the analysts about the oldest sessions that wait, and keep their answers for the review.

    `on_report` is called with each report as it comes. Raises TrustError where the configured
    command is not approved, CalmError where it is not a command line or no analyst gave an answer
    that can be read; then nothing is kept.
    """
    require(kb, analysts_request(kb))
    waiting, _ = list_sessions(kb, unreflected=True)
    batch = sorted(waiting, key=lambda view: (view.entry.created_at, view.entry.id))[:BATCH]
    if not batch:
        return AnalystRun((), ())
    readings = [SessionReading(view, _log(view, _LOGS // len(batch))) for view in batch]
    ids = [view.entry.id for view in batch]
    reports = _ask_all(kb, readings, ids, on_report)
    done = AnalystRun(tuple(ids), reports)
    if not any(report.answer.insights or not report.answer.faults for report in reports):
        faults = "; ".join(f"{r.analyst}: {r.answer.faults[0]}" for r in reports)
        raise CalmError(
            f"no analyst gave an answer that can be read ({faults}); "
            "check `command` and `seconds` under [analysts] in the configuration"
        )
    clean = kb.redactor().text
    made = [
        replace(one, content=clean(one.content).strip(), reasoning=clean(one.reasoning))
        for one in done.insights
    ]
    entries = {view.entry.id: view.entry for view in batch}
    made = attributed([one for one in made if one.content], entries)
    others = [one for one in load_insights(kb.environment.state, kb.root) if one.session not in ids]
    save_insights(kb.environment.state, kb.root, [*others, *made])
    return done


def _ask_all(
    kb: KnowledgeBase,
    readings: Sequence[SessionReading],
    ids: Sequence[str],
    on_report: Callable[[Report], None],
) -> tuple[Report, ...]:
    command = _command(kb)
    seconds = kb.config.analysts.seconds
    env = {**kb.environment.env, CHILD: "1"}
    reports: dict[str, Report] = {}
    # A folder of its own: no CLAUDE.md and no project for the analyst to read.
    with tempfile.TemporaryDirectory(prefix="calmkb-") as folder:

        def ask(analyst: Analyst) -> Report:
            begun = time.monotonic()
            ended = run_program(
                command, prompt(analyst, readings), cwd=Path(folder), env=env, seconds=seconds
            )
            return Report(analyst.name, _answer(ended, analyst, ids), time.monotonic() - begun)

        with ThreadPoolExecutor(len(ANALYSTS)) as pool:
            for done in as_completed([pool.submit(ask, analyst) for analyst in ANALYSTS]):
                report = done.result()
                reports[report.analyst] = report
                on_report(report)
    return tuple(reports[analyst.name] for analyst in ANALYSTS)


def _command(kb: KnowledgeBase) -> list[str]:
    settings = kb.config.analysts
    try:
        words = shlex.split(settings.command)
    except ValueError as error:
        raise CalmError(f"analysts.command is not a valid command line: {error}") from error
    return [word.replace("{model}", settings.model) for word in words]


def _answer(ended: Ended, analyst: Analyst, ids: Sequence[str]) -> Answer:
    """Return what can be read of an answer; what came before a fault is taken too."""
    answer = read_answer(ended.output, analyst.name, ids) if ended.output.strip() else Answer(())
    faults = list(answer.faults)
    if ended.fault:
        faults.insert(0, ended.fault)
    elif ended.code:
        message = " ".join(ended.complaint.split())[-200:]
        faults.insert(0, f"it ended with code {ended.code}" + (f": {message}" if message else ""))
    elif not ended.output.strip():
        faults.insert(0, "it printed nothing")
    return replace(answer, faults=tuple(faults))


def _log(view: SessionView, limit: int) -> str:
    """Return the beginning and the end of a session's log in short, or nothing."""
    if not view.log_path:
        return ""
    try:
        return condensed_text(read_transcript(Path(view.log_path)), limit)
    except TranscriptError:
        return ""
