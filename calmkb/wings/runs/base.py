"""What the HTTP server expects of what executes runs, and the plain types beside it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from calmkb.wings.runs.model import Json, Run, RunSession


@dataclass(frozen=True, slots=True)
class Page:
    """Which part of a list is wanted."""

    limit: int = 50
    offset: int = 0


@dataclass(frozen=True, slots=True)
class Archived:
    """An archived session, and the id of the journal entry made of it or nothing."""

    session: RunSession
    entry_id: str = ""


@dataclass(frozen=True, slots=True)
class ToolFailure:
    """A tool of a run that failed, and what it answered; the reason may be on any line."""

    tool: str
    output: str


class Runner(Protocol):
    """Carries runs out in this process."""

    def agent_types(self) -> Sequence[str]:
        """Return the names of the configured agents."""

    async def begin_session(self, agent_type: str, *, title: str = "") -> RunSession:
        """Begin a session; ConfigError where its type of agent is not configured."""

    async def start(self, session_id: str, task: str, config: Json | None = None) -> Run:
        """Begin a run in the background and return at once.

        NotFoundError on an unknown session, RunConflictError on an archived one, ConfigError where
        its type of agent is not configured.
        """

    async def cancel(self, run_id: str) -> Run:
        """Stop a run, of this or of another process; RunConflictError where it has ended.

        It is returned as it is then: still running where its process does not answer.
        """

    async def archive(self, session_id: str, *, wrapup: bool = False) -> Archived:
        """Archive a session; `wrapup` also creates a journal entry."""

    async def close(self) -> None:
        """Cancel all runs of this process and wait for them."""
