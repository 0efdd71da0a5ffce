"""What the analysts would read, within a budget, and what they have answered so far."""

import shlex
import shutil
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from calmkb.capture.condense import condensed_text
from calmkb.capture.formats.table import read_transcript
from calmkb.errors import CalmError, TranscriptError
from calmkb.kb.base.approvals import require
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.journal.listing import SessionFilter, list_sessions
from calmkb.kb.trust.programs import analysts_request
from calmkb.model import SessionView
from calmkb.store.local.reviews import place_of, save_or_drop
from calmkb.store.local.spending import spent_on
from calmkb.store.local.state_files import load, records_of
from calmkb.wings.analysts.questions import ANALYSTS, Insight, SessionReading

BATCH = 10  # sessions that are read in a round, the oldest first
SPENT_FOR = "analysts"  # under which name their cost is noted on this machine
_CHARACTERS = 4  # of a token, about, in English and code
_LOGS = 120_000  # characters of all logs together that an analyst gets: some 30,000 tokens


@dataclass(frozen=True, slots=True)
class AnalystPlan:
    """What the `program` would read: sessions, in how many rounds, at most how many tokens each.

    `dollars` is what today's rounds cost on this machine, `budget` what a day may.
    """

    program: str
    sessions: int
    rounds: int
    tokens: int
    dollars: float
    budget: float


def plan_analysts(kb: KnowledgeBase) -> AnalystPlan:
    """Return what is left for the analysts to read; CalmError where the command is none."""
    waiting = unread_sessions(kb)
    tokens = sum(_most_characters(one) for one in waiting[:BATCH]) // _CHARACTERS * len(ANALYSTS)
    return AnalystPlan(
        program=command_of(kb)[0],
        sessions=len(waiting),
        rounds=-(-len(waiting) // BATCH),
        tokens=tokens,
        dollars=_spent(kb),
        budget=kb.config.analysts.budget,
    )


def analysts_at_hand(kb: KnowledgeBase) -> AnalystPlan | None:
    """Return the plan where `reflect` may offer it, else None.

    The settings must not forbid it, the program must be there, a command of the repository's
    settings approved, sessions unread, and something of the budget left.
    """
    if not kb.config.analysts.offer:
        return None
    try:
        require(kb, analysts_request(kb))
        command = command_of(kb)
    except CalmError:
        return None
    if not command or not shutil.which(command[0], path=kb.environment.env.get("PATH")):
        return None
    plan = plan_analysts(kb)
    return plan if plan.sessions and plan.dollars < plan.budget else None


def unread_sessions(kb: KnowledgeBase) -> list[SessionView]:
    """Return the sessions that wait for a reflection and no analyst has read, oldest first."""
    waiting, _ = list_sessions(kb, SessionFilter(unreflected=True))
    read = load_answers(kb.environment.state, kb.root).read
    ordered = sorted(waiting, key=lambda view: (view.entry.created_at, view.entry.id))
    return [view for view in ordered if view.entry.id not in read]


def readings_of(batch: Sequence[SessionView]) -> list[SessionReading]:
    """Return the sessions of a round with their logs, in short."""
    return [SessionReading(view, _log(view, _LOGS // len(batch))) for view in batch]


def _most_characters(view: SessionView) -> int:
    """Return what a session's words can take in a round, without reading its log."""
    log = Path(view.log_path) if view.log_path else None
    size = log.stat().st_size if log and log.is_file() else 0
    return len(SessionReading(view).text) + min(size, _LOGS // BATCH)


def require_budget(kb: KnowledgeBase) -> None:
    """Raise CalmError where the analysts have cost what a day may."""
    spent, budget = _spent(kb), kb.config.analysts.budget
    if spent >= budget:
        raise CalmError(
            f"the analysts have cost ${spent:.2f} of ${budget:.2f} today; go on tomorrow, or raise "
            "`budget` under [analysts] in the configuration"
        )


def _spent(kb: KnowledgeBase) -> float:
    return sum(spent_on(kb.environment.state, kb.environment.now(), SPENT_FOR))


def command_of(kb: KnowledgeBase) -> list[str]:
    """Return the words of the analysts' command; CalmError where it is no command line."""
    settings = kb.config.analysts
    try:
        words = shlex.split(settings.command)
    except ValueError as error:
        raise CalmError(f"analysts.command is not a valid command line: {error}") from error
    return [word.replace("{model}", settings.model) for word in words]


def _log(view: SessionView, limit: int) -> str:
    """Return the beginning and the end of a session's log in short, or nothing."""
    if not view.log_path:
        return ""
    try:
        return condensed_text(read_transcript(Path(view.log_path)), limit)
    except TranscriptError:
        return ""


@dataclass(frozen=True, slots=True)
class AnalystAnswers:
    """What analysts found, and the ids of the sessions that they have read."""

    insights: tuple[Insight, ...] = ()
    read: frozenset[str] = frozenset()

    def without(self, entries: Collection[str]) -> "AnalystAnswers":
        """Return what is left once these sessions are reflected on."""
        left = tuple(one for one in self.insights if one.session not in entries)
        return AnalystAnswers(left, self.read.difference(entries))


def save_answers(state: Path, root: Path, answers: AnalystAnswers) -> None:
    """Keep the answers into the knowledge base at `root`; none removes the file."""
    kept = {"read": sorted(answers.read), "insights": answers.insights}
    save_or_drop(place_of(state, root, ".insights"), kept if any(kept.values()) else None)


def load_answers(state: Path, root: Path) -> AnalystAnswers:
    """Return the answers kept; none where there are none or the file is not ours."""
    kept = load(place_of(state, root, ".insights"))
    kept = kept if isinstance(kept, dict) else {}
    insights = records_of(Insight, kept.get("insights"))
    read = kept.get("read")
    return AnalystAnswers(
        tuple(one for one in insights if 0 <= one.importance <= 1),
        frozenset(one for one in (read if isinstance(read, list) else []) if isinstance(one, str)),
    )
