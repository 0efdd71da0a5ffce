"""What a run journal changes: sessions and runs, each within one transaction."""

from collections.abc import Callable
from dataclasses import asdict, replace
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Row, delete, insert, select, update

from calmkb.errors import NotFoundError, RunConflictError
from calmkb.wings.runs.model import ENDS, Json, Run, RunSession, RunStatus
from calmkb.wings.runs.store import values
from calmkb.wings.runs.store.entries import not_running
from calmkb.wings.runs.store.tables import RUNS, SESSIONS, run_of, session_of
from calmkb.wings.runs.store.writing import Transaction, Writer


class RunChanges:
    """The changes of `RunJournal`; NotFoundError on an unknown id."""

    _writer: Writer
    _owner: str
    _clock: Callable[[], datetime]

    def _now(self) -> datetime:
        return self._clock().astimezone(UTC)  # SQLite forgets the offset

    async def create_session(self, agent_type: str, *, title: str = "") -> RunSession:
        """Begin a session; RecordError on an invalid agent type or a title over 255 characters."""
        now = self._now()
        session = RunSession(
            id=values.new_id(), agent_type=values.agent_type_of(agent_type),
            title=values.text_of(title, values.TITLE_CHARACTERS, "title"),
            created_at=now, updated_at=now,
        )  # fmt: skip
        added = insert(SESSIONS).values(asdict(session))
        await self._writer.write(lambda transaction: transaction.connection.execute(added))
        return session

    async def archive_session(self, session_id: str) -> RunSession:
        """Archive a session: it takes no more runs. Twice is once. Not while a run is running."""

        def archive(transaction: Transaction) -> RunSession:
            session = session_of(_locked_session(transaction, session_id))
            if session.status == "archived":
                return session
            _refuse_running(transaction, session_id)
            return _changed(transaction, session, status="archived", updated_at=self._now())

        return await self._writer.write(archive)

    async def reopen_session(self, session_id: str) -> None:
        """Undo the archiving of a session of which no journal entry could be made."""
        undone = update(SESSIONS).where(SESSIONS.c.id == session_id, SESSIONS.c.entry_id.is_(None))
        asked = undone.values(status="active")
        await self._writer.write(lambda transaction: transaction.connection.execute(asked))

    async def set_entry(self, session_id: str, entry_id: str) -> RunSession:
        """Keep which journal entry was made of a session; the first one stays."""

        def keep(transaction: Transaction) -> RunSession:
            session = session_of(_locked_session(transaction, session_id))
            return (
                session if session.entry_id else _changed(transaction, session, entry_id=entry_id)
            )

        return await self._writer.write(keep)

    async def delete_session(self, session_id: str) -> None:
        """Delete a session with its runs and their entries. Not while a run is running."""

        def remove(transaction: Transaction) -> None:
            _locked_session(transaction, session_id)
            _refuse_running(transaction, session_id)
            runs = select(RUNS.c.id).where(RUNS.c.session_id == session_id).order_by(RUNS.c.id)
            # Locked in the order in which entries are written, so that no two wait for each other.
            for row in transaction.connection.execute(runs.with_for_update()):
                transaction.touch(row.id)
            transaction.connection.execute(delete(SESSIONS).where(SESSIONS.c.id == session_id))

        await self._writer.write(remove)

    async def start_run(
        self, session_id: str, task: str, *, config: Json | None = None, project: str = ""
    ) -> Run:
        """Begin a run, the next in its session, owned by this process.

        RecordError on a task over 100,000 characters or a configuration over 1 MiB.
        """
        now = self._now()
        added = insert(RUNS).values(
            id=values.new_id(), session_id=session_id, owner=self._owner, status="running",
            task=values.text_of(task, values.TASK_CHARACTERS, "task"),
            config=values.json_of(config, "config"),
            project=values.text_of(project, values.TITLE_CHARACTERS, "project") or None,
            started_at=now, created_at=now,
        ).returning(*RUNS.c)  # fmt: skip

        def add(transaction: Transaction) -> Run:
            row = _locked_session(transaction, session_id)
            if row.status != "active":
                raise RunConflictError(f"session {session_id} is archived; begin a new one")
            number = row.last_run + 1
            changed = update(SESSIONS).where(SESSIONS.c.id == session_id)
            transaction.connection.execute(changed.values(last_run=number, updated_at=now))
            made = added.values(run_number=number, agent_type=row.agent_type)
            return run_of(transaction.connection.execute(made).one())

        return await self._writer.write(add)

    async def ask_to_cancel(self, run_id: str) -> Run:
        """Ask the process that executes a run to cancel it; RunConflictError if it has ended."""
        return await self._update(run_id, cancel_asked_at=self._now())

    async def set_context_summary(self, run_id: str, summary: str) -> None:
        """Keep the summary of earlier runs that the run was given; at most 100,000 characters."""
        kept = values.text_of(summary, values.SUMMARY_CHARACTERS, "context_summary")
        await self._update(run_id, context_summary=kept)

    async def set_usage(self, run_id: str, usage: Json) -> None:
        """Keep what a running run has used so far, its model, tokens and cost."""
        await self._update(run_id, usage=values.json_of(usage, "usage"))

    async def finish_run(
        self, run_id: str, status: RunStatus, *, result: Json | None = None
    ) -> Run:
        """End a running run; RecordError on a result over 1 MiB, RunConflictError if it ended."""
        status, kept = values.one_of(ENDS, status, "status"), values.json_of(result, "result")

        def finish(transaction: Transaction) -> Run:
            end = {"status": status, "result": kept, "completed_at": self._now()}
            ended = _change(transaction, run_id, **end)
            transaction.touch(run_id)
            return ended

        return await self._writer.write(finish)

    async def _update(self, run_id: str, **fields: Any) -> Run:
        return await self._writer.write(lambda change: _change(change, run_id, **fields))


def _change(transaction: Transaction, run_id: str, **fields: Any) -> Run:
    """Change a running run; an error says why where it does not run."""
    known = RUNS.c.id == values.id_of(run_id, "run")
    changed = update(RUNS).where(known, RUNS.c.status == "running").values(**fields)
    row = transaction.connection.execute(changed.returning(*RUNS.c)).first()
    if row is None:
        raise not_running(transaction, run_id)
    return run_of(row)


def _changed(transaction: Transaction, session: RunSession, **fields: Any) -> RunSession:
    changed = update(SESSIONS).where(SESSIONS.c.id == session.id)
    transaction.connection.execute(changed.values(**fields))
    return replace(session, **fields)


def _refuse_running(transaction: Transaction, session_id: str) -> None:
    running = select(RUNS.c.id).where(RUNS.c.session_id == session_id, RUNS.c.status == "running")
    if row := transaction.connection.execute(running.limit(1)).first():
        raise RunConflictError(f"session {session_id} has a running run, {row.id}; cancel it first")


def _locked_session(transaction: Transaction, session_id: str) -> Row[Any]:
    known = SESSIONS.c.id == values.id_of(session_id, "session")
    row = transaction.connection.execute(select(SESSIONS).where(known).with_for_update()).first()
    if row is None:
        raise NotFoundError(f"session {session_id!r} not found")
    return row
