"""Who carries runs out: started, cancelled and archived by whatever face."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from calmkb.model import Json, Run, RunSession


@dataclass(frozen=True, slots=True)
class Archived:
    """A session that takes no more runs, and the journal entry that was made of it or nothing."""

    session: RunSession
    entry_id: str = ""


class Runner(Protocol):
    """Carries runs out in this process."""

    async def begin_session(self, agent_type: str, *, title: str = "") -> RunSession:
        """Begin a session; ConfigError where its type of agent is not configured."""

    async def start(self, session_id: str, task: str, config: Json | None = None) -> Run:
        """Begin a run in the background and return at once.

        NotFoundError on an unknown session, RunConflictError on an archived one, ConfigError where
        its type of agent is not configured.
        """

    async def cancel(self, run_id: str) -> Run:
        """Stop a run of this process; it fails. RunConflictError where it is another's or over."""

    async def archive(self, session_id: str, *, wrapup: bool = False) -> Archived:
        """End a session, with `wrapup` drawing it up as an entry of the journal."""

    def agent_types(self) -> Sequence[str]:
        """Return the names of the agents there are."""

    async def close(self) -> None:
        """Cancel all runs of this process and wait for them."""
