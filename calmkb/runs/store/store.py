"""The run journal on SQLAlchemy: one set of tables, SQLite or PostgreSQL."""

import uuid
import zlib
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import aclosing
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import Row, Select, delete, insert, select, update

from calmkb.errors import NotFoundError, RunConflictError
from calmkb.model import EntryType, Json, Run, RunEntry, RunSession, RunStatus, SessionStatus
from calmkb.runs.base import Page
from calmkb.runs.store import values
from calmkb.runs.store.database import Database, FileDatabase
from calmkb.runs.store.entries import (
    add_entries,
    entries_asked,
    fail_runs_of_the_dead,
    not_running,
)
from calmkb.runs.store.liveness import FileLiveness, Heard, Liveness, Lost
from calmkb.runs.store.opening import database_at, prepare
from calmkb.runs.store.rows import entry_of, run_of, session_of
from calmkb.runs.store.tables import RUNS, SESSIONS
from calmkb.runs.store.tail import Head, Tails
from calmkb.runs.store.tail_file import watch_file
from calmkb.runs.store.writing import Batches, Transaction, Writer


def _now() -> datetime:
    return datetime.now(UTC)


def _new_id() -> str:
    return str(uuid.uuid4())


class RunJournal:
    """Sessions, runs and entries in a database; made by `open_journal`, used in one event loop.

    Every method is safe under many writers and processes. NotFoundError on an unknown id,
    RunConflictError on a change that the state forbids (a run in an archived session, an entry in
    a run that has ended), RecordError on an invalid value, StoreError where the database refuses
    or cannot be reached. A write whose caller is cancelled is completed, or not done at all.
    """

    def __init__(
        self,
        database: Database,
        *,
        now: Callable[[], datetime] = _now,
        new_id: Callable[[], str] = _new_id,
    ) -> None:
        self._database = database
        self._clock, self._new_id = now, new_id
        self._owner = new_id()
        watch = isinstance(database, FileDatabase) and partial(watch_file, database, self._heard)
        self._tails = Tails(self, watch or None)
        self._liveness = _liveness_of(database, self._owner, self._heard, self._tails.fail)
        self._writer = Writer(database, self._owner, self._tails.wake)
        self._lanes = [Batches(self._writer, self._append_all) for _ in range(database.lanes)]

    async def begin(self) -> None:
        """Make the tables and say that this process lives."""
        await prepare(self._database)
        await self._liveness.begin()

    async def close(self) -> None:
        """Close the database; runs of this process that still run are not touched."""
        await self._tails.close()
        await self._writer.close()
        await self._liveness.close()
        await self._database.close()

    async def create_session(self, agent_type: str, *, title: str = "") -> RunSession:
        """Begin a session; RecordError on a name that is none, or a title over 200 characters."""
        now = self._now()
        session = RunSession(
            id=self._new_id(), agent_type=values.agent_type_of(agent_type),
            title=values.text_of(title, values.TITLE_CHARACTERS, "title"),
            created_at=now, updated_at=now,
        )  # fmt: skip
        made = insert(SESSIONS).values(
            id=session.id, agent_type=session.agent_type, title=session.title,
            status=session.status, created_at=now, updated_at=now,
        )  # fmt: skip

        def work(transaction: Transaction) -> RunSession:
            transaction.connection.execute(made)
            return session

        return await self._writer.write(work)

    async def get_session(self, session_id: str) -> RunSession:
        """Return a session."""
        asked = select(SESSIONS).where(SESSIONS.c.id == values.id_of(session_id, "session"))
        return session_of(await self._one(asked, "session", session_id))

    async def list_sessions(
        self,
        *,
        status: SessionStatus | None = None,
        agent_type: str | None = None,
        page: Page = Page(),  # noqa: B008 - frozen
    ) -> Sequence[RunSession]:
        """Return sessions, newest first."""
        page = values.page_of(page)
        # Both backwards, so that one index gives them in order.
        asked = select(SESSIONS).order_by(SESSIONS.c.created_at.desc(), SESSIONS.c.id.desc())
        if status:
            asked = asked.where(SESSIONS.c.status == values.sound(status))
        if agent_type:
            asked = asked.where(SESSIONS.c.agent_type == values.sound(agent_type))
        rows = await self._all(asked.limit(page.limit).offset(page.offset))
        return [session_of(row) for row in rows]

    async def archive_session(self, session_id: str) -> RunSession:
        """End a session: it takes no more runs. Twice is once. Not while a run is running."""

        def work(transaction: Transaction) -> RunSession:
            session = session_of(self._locked_session(transaction, session_id))
            if session.status == "archived":
                return session
            of_it = RUNS.c.session_id == session_id
            running = select(RUNS.c.id).where(of_it, RUNS.c.status == "running").limit(1)
            if (transaction.connection.execute(running)).first():
                raise RunConflictError(f"session {session_id} has a running run; cancel it first")
            changed = update(SESSIONS).where(SESSIONS.c.id == session_id)
            now = self._now()
            transaction.connection.execute(changed.values(status="archived", updated_at=now))
            return replace(session, status="archived", updated_at=now)

        return await self._writer.write(work)

    async def delete_session(self, session_id: str) -> None:
        """Delete a session with its runs and their entries."""

        def work(transaction: Transaction) -> None:
            self._locked_session(transaction, session_id)
            of_it = select(RUNS.c.id).where(RUNS.c.session_id == session_id).order_by(RUNS.c.id)
            # Locked in the order in which entries are written: nobody waits for each other.
            for row in transaction.connection.execute(of_it.with_for_update()):
                transaction.touch(row.id)
            gone = delete(SESSIONS).where(SESSIONS.c.id == session_id)
            transaction.connection.execute(gone)

        await self._writer.write(work)

    async def start_run(self, session_id: str, task: str, *, config: Json | None = None) -> Run:
        """Begin a run, the next in its session, owned by this process.

        RecordError on a task over 100,000 characters or a configuration over 1 MiB.
        """
        now, run_id = self._now(), self._new_id()
        task = values.text_of(task, values.TASK_CHARACTERS, "task")
        kept = values.json_of(config, "config")

        def work(transaction: Transaction) -> Run:
            row = self._locked_session(transaction, session_id)
            if row.status != "active":
                raise RunConflictError(f"session {session_id} is archived; begin a new one")
            number = row.last_run + 1
            changed = update(SESSIONS).where(SESSIONS.c.id == session_id)
            transaction.connection.execute(changed.values(last_run=number, updated_at=now))
            made = insert(RUNS).values(
                id=run_id, session_id=session_id, run_number=number, agent_type=row.agent_type,
                task=task, status="running", config=kept, started_at=now, created_at=now,
                owner=self._owner,
            )  # fmt: skip
            done = transaction.connection.execute(made.returning(*RUNS.c))
            return run_of(done.one())

        return await self._writer.write(work)

    async def get_run(self, run_id: str) -> Run:
        """Return a run."""
        return (await self.head(run_id)).run

    async def head(self, run_id: str) -> Head:
        """Return a run, and the number of its last entry at the same moment."""
        asked = select(RUNS).where(RUNS.c.id == values.id_of(run_id, "run"))
        row = await self._one(asked, "run", run_id)
        return Head(run_of(row), row.last_sequence)

    async def list_runs(self, session_id: str, *, status: RunStatus | None = None) -> Sequence[Run]:
        """Return the runs of a session, in their order."""
        await self.get_session(session_id)
        asked = select(RUNS).where(RUNS.c.session_id == session_id).order_by(RUNS.c.run_number)
        if status:
            asked = asked.where(RUNS.c.status == values.sound(status))
        return [run_of(row) for row in await self._all(asked)]

    async def set_context_summary(self, run_id: str, summary: str) -> None:
        """Keep what the run was told of the earlier ones; at most 100,000 characters."""
        kept = values.text_of(summary, values.SUMMARY_CHARACTERS, "context_summary")
        known = RUNS.c.id == values.id_of(run_id, "run")

        def work(transaction: Transaction) -> None:
            changed = update(RUNS).where(known).values(context_summary=kept)
            if not (transaction.connection.execute(changed)).rowcount:
                raise NotFoundError(f"run {run_id!r} not found")

        await self._writer.write(work)

    async def append(
        self, run_id: str, entry_type: EntryType, data: Json, *, step_number: int | None = None
    ) -> RunEntry:
        """Write the next entry of a running run; it is on disk when this returns.

        Data over 1 MiB are cut (see `store_values.entry_data_of`); RecordError on an unknown type.
        """
        entry = RunEntry(
            id=self._new_id(), run_id=values.id_of(run_id, "run"), sequence_number=0,
            entry_type=values.entry_type_of(entry_type), step_number=values.step_of(step_number),
            data=values.entry_data_of(data), created_at=self._now(),
        )  # fmt: skip
        return await self._lane(entry.run_id).append(entry)

    async def finish_run(
        self, run_id: str, status: RunStatus, *, result: Json | None = None
    ) -> Run:
        """End a running run; RecordError on a result over 1 MiB, RunConflictError if it ended."""
        ended = {"status": values.end_of(status), "result": values.json_of(result, "result")}
        known = RUNS.c.id == values.id_of(run_id, "run")

        def work(transaction: Transaction) -> Run:
            changed = update(RUNS).where(known, RUNS.c.status == "running")
            ending = changed.values(**ended, completed_at=self._now()).returning(*RUNS.c)
            row = (transaction.connection.execute(ending)).first()
            if row is None:
                raise not_running(transaction, run_id)
            transaction.touch(run_id)
            return run_of(row)

        return await self._writer.write(work)

    async def entries(
        self, run_id: str, *, after: int = 0, limit: int | None = None
    ) -> Sequence[RunEntry]:
        """Return entries with a sequence number above `after`, in their order."""
        rows = await self._all(entries_asked(values.id_of(run_id, "run"), after, limit))
        if not rows:
            await self.head(run_id)
        return [entry_of(row) for row in rows]

    async def follow(
        self, run_id: str, *, after: int = 0, live: bool = True
    ) -> AsyncIterator[RunEntry | Run]:
        """Yield each entry above `after` once, in order, and at the end of the run the run itself.

        New entries come as they are written, by any process. With `live` off it ends after the
        stored ones, without a run where that has not ended.
        """
        followed = self._tails.follow if live else self._tails.read
        async with aclosing(followed(values.id_of(run_id, "run"), after=after)) as found:
            async for item in found:
                yield item

    async def fail_interrupted(self) -> Sequence[Run]:
        """Mark the running runs of dead processes as failed, with a `run:error` entry.

        All in one transaction: of two servers that start at once the second finds nothing left.
        """
        work = partial(
            fail_runs_of_the_dead, me=self._owner, dead=self._liveness.dead,
            now=self._now, new_id=self._new_id,
        )  # fmt: skip
        return await self._writer.write(work)

    async def _append_all(self, entries: list[RunEntry]) -> list[RunEntry | Exception]:
        numbered = await self._writer.write(partial(add_entries, entries=entries))
        for run_id in dict.fromkeys(entry.run_id for entry in entries):
            new = [one for one in numbered if isinstance(one, RunEntry) and one.run_id == run_id]
            if new:
                self._tails.offer(run_id, new)
        return numbered

    def _locked_session(self, transaction: Transaction, session_id: str) -> Row[Any]:
        known = SESSIONS.c.id == values.id_of(session_id, "session")
        asked = select(SESSIONS).where(known).with_for_update()
        row = (transaction.connection.execute(asked)).first()
        if row is None:
            raise NotFoundError(f"session {session_id!r} not found")
        return row

    def _now(self) -> datetime:
        return values.moment_of(self._clock())

    def _lane(self, run_id: str) -> Batches:
        """Return where a run's entries wait: always the same place, so that they keep order."""
        return self._lanes[zlib.crc32(run_id.encode()) % len(self._lanes)]

    def _heard(self, run_id: str | None) -> None:
        self._tails.wake(run_id)

    async def _one(self, asked: Select[Any], what: str, id: str) -> Row[Any]:  # noqa: A002
        rows = await self._all(asked)
        if not rows:
            raise NotFoundError(f"{what} {id!r} not found")
        return rows[0]

    async def _all(self, asked: Select[Any]) -> Sequence[Row[Any]]:
        return await self._writer.read(lambda connection: connection.execute(asked).all())


async def open_journal(
    url: str,
    *,
    now: Callable[[], datetime] = _now,
    new_id: Callable[[], str] = _new_id,
) -> RunJournal:
    """Return the journal at a SQLAlchemy `url` (see `addresses.database_url`), ready to use.

    Tables are made or brought up to date. ConfigError on an address that is none, StoreError
    where the database cannot be reached or is of a newer calmkb.
    """
    journal = RunJournal(database_at(url), now=now, new_id=new_id)
    try:
        await journal.begin()
    except BaseException:
        await journal.close()
        raise
    return journal


def _liveness_of(database: Database, owner: str, heard: Heard, lost: Lost) -> Liveness:
    if isinstance(database, FileDatabase):
        return FileLiveness(Path(database.url.database or ""), owner)
    from calmkb.runs.store.liveness_postgres import PostgresLiveness

    return PostgresLiveness(database, owner, heard=heard, lost=lost)
