"""What agents left on this machine: how many sessions, how old, what is deleted soon."""

import os
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from calmkb.capture.formats.base import History
from calmkb.capture.formats.claude import claude_home
from calmkb.capture.formats.table import FORMATS, session_stamp
from calmkb.capture.history.sources import history_files, is_sub_agents
from calmkb.errors import TranscriptError
from calmkb.kb.base.environment import Environment
from calmkb.store.local.state_files import load

SOON = timedelta(days=7)
"""How far ahead a deletion is reported."""
_CLAUDE = "claude"
_CLAUDE_DAYS = 30
"""Claude Code's default for `cleanupPeriodDays` (its settings' documentation, 2026)."""
_MOST_DAYS = 100_000


@dataclass(frozen=True, slots=True)
class SessionFile:
    """One session as an agent left it, by the time that it was last written to."""

    path: Path
    at: datetime


@dataclass(frozen=True, slots=True)
class AgentHistory:
    """The sessions that one agent keeps, newest first.

    `source` is what `calmkb import` calls it. `kept_days` is after how many days its client deletes
    a session, 0 where it is not known to; `expiring` are those that it deletes within a week.
    """

    source: str
    folder: Path
    sessions: tuple[SessionFile, ...]
    kept_days: int
    expiring: int

    @property
    def oldest(self) -> datetime:
        """When its oldest session was last written to."""
        return self.sessions[-1].at

    @property
    def newest(self) -> datetime:
        """When its newest session was last written to."""
        return self.sessions[0].at


def agent_histories(
    environment: Environment, faults: list[str] | None = None
) -> tuple[AgentHistory, ...]:
    """Return the history of each agent that has one here, most sessions first; reads no session.

    `faults` gains a line for each agent and each session that was passed over, and why.
    """
    faults = [] if faults is None else faults
    kept = (one.history for one in FORMATS.values() if one.history)
    found = [_history(environment, one, faults) for one in kept]
    return tuple(sorted(filter(None, found), key=lambda one: (-len(one.sessions), one.source)))


def _history(environment: Environment, kept: History, faults: list[str]) -> AgentHistory | None:
    folder = kept.places(environment.home, environment.env)[0]
    try:
        if not os.path.lexists(folder):
            return None
        files = history_files(kept.name, None, environment.home, environment.env)
    except (TranscriptError, OSError) as error:  # one agent's broken database hides no other agent
        faults.append(f"{kept.name} was passed over: {error}")
        return None
    dated = [one for path in files if not is_sub_agents(path) and (one := _dated(path, faults))]
    if not dated:
        return None
    sessions = tuple(sorted(dated, key=lambda one: (one.at, str(one.path)), reverse=True))
    days = _kept_days(environment) if kept.name == _CLAUDE else 0
    edge = environment.now() - timedelta(days=days) + SOON
    expiring = sum(one.at < edge for one in sessions) if days else 0
    return AgentHistory(kept.name, folder, sessions, days, expiring)


def _dated(path: Path, faults: list[str]) -> SessionFile | None:
    try:
        stamp = session_stamp(path)
    except TranscriptError as error:
        faults.append(str(error))
        return None
    # Without a stamp it was deleted meanwhile.
    return SessionFile(path, datetime.fromtimestamp(stamp.at / 10**9, UTC)) if stamp else None


def _kept_days(environment: Environment) -> int:
    """Return `cleanupPeriodDays` of the client's settings, else its default."""
    path = claude_home(environment.home, environment.env) / "settings.json"
    settings = load(path)
    days = settings.get("cleanupPeriodDays") if isinstance(settings, dict) else None
    return days if type(days) is int and 0 < days <= _MOST_DAYS else _CLAUDE_DAYS
