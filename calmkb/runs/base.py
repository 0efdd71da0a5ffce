"""What a run journal offers to those who write into it and to those who follow it."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from calmkb.model import EntryType, Json, Run, RunEntry, RunSession, RunStatus, SessionStatus


@dataclass(frozen=True, slots=True)
class Page:
    """Which part of a list is wanted."""

    limit: int = 50
    offset: int = 0


class RunJournal(Protocol):
    """Sessions, runs and entries, kept; every method is safe under many writers and processes.

    NotFoundError on an id that is not there, RunConflictError on a change that the state forbids
    (a run in an archived session, an entry in a run that has ended), RecordError on what is too
    long or none of its kind, StoreError where the database refuses or is not there. What one who is
    cancelled meanwhile has asked to be written is written whole, or not at all.
    """

    async def create_session(self, agent_type: str, *, title: str = "") -> RunSession:
        """Begin a session."""

    async def get_session(self, session_id: str) -> RunSession:
        """Return a session."""

    async def list_sessions(
        self,
        *,
        status: SessionStatus | None = None,
        agent_type: str | None = None,
        page: Page = Page(),
    ) -> Sequence[RunSession]:
        """Return sessions, newest first."""

    async def archive_session(self, session_id: str) -> RunSession:
        """End a session: it takes no more runs. Twice is once. Not while a run is running."""

    async def delete_session(self, session_id: str) -> None:
        """Take a session out with its runs and their entries."""

    async def start_run(self, session_id: str, task: str, *, config: Json | None = None) -> Run:
        """Begin a run, the next in its session, owned by this process."""

    async def get_run(self, run_id: str) -> Run:
        """Return a run."""

    async def list_runs(self, session_id: str, *, status: RunStatus | None = None) -> Sequence[Run]:
        """Return the runs of a session, in their order."""

    async def set_context_summary(self, run_id: str, summary: str) -> None:
        """Keep what the run was told of the earlier ones."""

    async def append(
        self, run_id: str, entry_type: EntryType, data: Json, *, step_number: int | None = None
    ) -> RunEntry:
        """Write the next entry of a running run; it is on disk when this returns."""

    async def finish_run(
        self, run_id: str, status: RunStatus, *, result: Json | None = None
    ) -> Run:
        """End a running run. A second end is a RunConflictError."""

    async def entries(
        self, run_id: str, *, after: int = 0, limit: int | None = None
    ) -> Sequence[RunEntry]:
        """Return entries with a sequence number above `after`, in their order."""

    def follow(
        self, run_id: str, *, after: int = 0, live: bool = True
    ) -> AsyncIterator[RunEntry | Run]:
        """Yield each entry above `after` once, in order, and at the end of the run the run itself.

        Live ones come as they are written, by whatever process. With `live` off it ends at what is
        there, without a run where that has not ended.
        """

    async def fail_interrupted(self) -> Sequence[Run]:
        """Mark the running runs of processes that are dead as failed, with a `run:error` entry."""

    async def close(self) -> None:
        """Let go of the database; runs of this process that still run are not touched."""
