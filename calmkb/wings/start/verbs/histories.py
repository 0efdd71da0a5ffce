"""What agents left on this machine: how many sessions, how old, what is deleted soon."""

import os
import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from calmkb.capture.formats.base import History
from calmkb.capture.formats.claude import claude_home
from calmkb.capture.formats.fields import time_of
from calmkb.capture.formats.table import FORMATS, session_stamp
from calmkb.capture.history.sources import history_files, is_sub_agents
from calmkb.errors import TranscriptError
from calmkb.kb.base.environment import Environment
from calmkb.store.local.state_files import load

SOON = timedelta(days=7)  # how far ahead a deletion is reported
_CLAUDE = "claude"
_CLAUDE_DAYS = 30
"""Claude Code's default for `cleanupPeriodDays` (its settings' documentation, 2026)."""
_MOST_DAYS = 100_000
_TAIL = 1 << 16
_TOLD = re.compile(rb'"timestamp"\s*:\s*"([^"]{10,40})"')


@dataclass(frozen=True, slots=True)
class AgentHistory:
    """The sessions that one agent keeps, newest first, by what they say themselves.

    `source` is what `calmkb import` calls it. `kept_days` is after how many days its client deletes
    a session, 0 where it is not known to; `expiring` are those that it deletes within a week.
    """

    source: str
    folder: Path
    sessions: tuple[Path, ...]
    oldest: datetime
    newest: datetime
    kept_days: int
    expiring: int


def agent_histories(environment: Environment, faults: list[str]) -> tuple[AgentHistory, ...]:
    """Return the history of each agent that has one here, most sessions first; reads their ends.

    `faults` gains a line for each agent and each session that was passed over, and why.
    """
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
    dated.sort(reverse=True)
    newest, oldest = dated[0][0], dated[-1][0]
    days = _kept_days(environment) if kept.name == _CLAUDE else 0
    edge = environment.now() - timedelta(days=days) + SOON
    expiring = sum(written < edge for _, written, _ in dated) if days else 0
    sessions = tuple(path for *_, path in dated)
    return AgentHistory(kept.name, folder, sessions, oldest, newest, days, expiring)


def _dated(path: Path, faults: list[str]) -> tuple[datetime, datetime, Path] | None:
    """Return when a session ended and when its file was written; a copy is younger than that."""
    try:
        stamp = session_stamp(path)
    except TranscriptError as error:
        faults.append(str(error))
        return None
    if stamp is None:  # it was deleted meanwhile
        return None
    written = datetime.fromtimestamp(stamp.at / 10**9, UTC)
    return _ended(path) or written, written, path


def _ended(path: Path) -> datetime | None:
    """Return the last time that the end of a file of JSON lines tells."""
    if path.suffix != ".jsonl" or not path.is_file():  # a database, or a pipe that never ends
        return None
    try:
        with path.open("rb") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - _TAIL))
            told = (one.decode(errors="replace") for one in _TOLD.findall(file.read(_TAIL)))
    except OSError:
        return None
    return max(filter(None, map(time_of, told)), default=None)


def _kept_days(environment: Environment) -> int:
    """Return `cleanupPeriodDays` of the client's settings, else its default."""
    path = claude_home(environment.home, environment.env) / "settings.json"
    settings = load(path)
    days = settings.get("cleanupPeriodDays") if isinstance(settings, dict) else None
    return days if type(days) is int and 0 < days <= _MOST_DAYS else _CLAUDE_DAYS
