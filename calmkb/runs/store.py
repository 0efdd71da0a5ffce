"""The run journal on SQLAlchemy: one set of tables, SQLite or PostgreSQL."""

import asyncio
import contextlib
import uuid
from collections.abc import AsyncIterator, Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

from filelock import FileLock, Timeout
from sqlalchemy import Row, Select, delete, insert, select, text, update
from sqlalchemy.engine import make_url
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from calmkb.errors import NotFoundError, RunConflictError
from calmkb.model import EntryType, Json, Run, RunEntry, RunSession, RunStatus, SessionStatus
from calmkb.runs.base import Page
from calmkb.runs.engines import advisory_key, dead_owners, make_engine, reading
from calmkb.runs.tables import ENTRIES, METADATA, RUNS, SESSIONS

_PAGE = 500
_POLL_SECONDS = 0.05
INTERRUPTED = "the process that ran it was stopped"


def _now() -> datetime:
    return datetime.now(UTC)


def _new_id() -> str:
    return str(uuid.uuid4())


class SqlRunJournal:
    """A `RunJournal` in a database; made by `open_journal`."""

    def __init__(
        self,
        engine: AsyncEngine,
        *,
        now: Callable[[], datetime] = _now,
        new_id: Callable[[], str] = _new_id,
    ) -> None:
        self._engine, self._reading = engine, reading(engine)
        self._now, self._new_id = now, new_id
        self._owner = new_id()
        self._alive: FileLock | AsyncConnection | None = None
        self._changed = asyncio.Condition()

    async def begin(self) -> None:
        """Make the tables and say that this process lives."""
        async with self._engine.begin() as connection:
            await connection.run_sync(METADATA.create_all)
        if folder := self._owners_folder():
            folder.mkdir(parents=True, exist_ok=True)
            lock = FileLock(folder / f"{self._owner}.lock")
            lock.acquire(timeout=0)
            self._alive = lock
        else:
            connection = await self._reading.connect()
            await connection.execute(
                text("SELECT pg_advisory_lock(:key)"), {"key": advisory_key(self._owner)}
            )
            self._alive = connection

    async def close(self) -> None:
        """Let go of the database."""
        if isinstance(self._alive, FileLock):
            self._alive.release()
            Path(self._alive.lock_file).unlink(missing_ok=True)
        elif self._alive is not None:
            await self._alive.close()
        await self._engine.dispose()

    async def create_session(self, agent_type: str, *, title: str = "") -> RunSession:
        """Begin a session."""
        now = self._now()
        values = {"id": self._new_id(), "agent_type": agent_type, "title": title,
                  "status": "active", "created_at": now, "updated_at": now}  # fmt: skip
        async with self._engine.begin() as connection:
            await connection.execute(insert(SESSIONS).values(**values))
        return await self.get_session(str(values["id"]))

    async def get_session(self, session_id: str) -> RunSession:
        """Return a session."""
        return _session(await self._one(select(SESSIONS).where(SESSIONS.c.id == session_id),
                                        "session", session_id))  # fmt: skip

    async def list_sessions(
        self,
        *,
        status: SessionStatus | None = None,
        agent_type: str | None = None,
        page: Page = Page(),  # noqa: B008 - frozen
    ) -> Sequence[RunSession]:
        """Return sessions, newest first."""
        asked = select(SESSIONS).order_by(SESSIONS.c.created_at.desc(), SESSIONS.c.id)
        if status:
            asked = asked.where(SESSIONS.c.status == status)
        if agent_type:
            asked = asked.where(SESSIONS.c.agent_type == agent_type)
        rows = await self._all(asked.limit(page.limit).offset(page.offset))
        return [_session(row) for row in rows]

    async def archive_session(self, session_id: str) -> RunSession:
        """End a session: it takes no more runs."""
        async with self._engine.begin() as connection:
            await self._locked_session(connection, session_id)
            running = select(RUNS.c.id).where(
                RUNS.c.session_id == session_id, RUNS.c.status == "running"
            )
            if (await connection.execute(running.limit(1))).first():
                raise RunConflictError(f"session {session_id} has a running run; cancel it first")
            changed = update(SESSIONS).where(SESSIONS.c.id == session_id)
            await connection.execute(changed.values(status="archived", updated_at=self._now()))
        return await self.get_session(session_id)

    async def delete_session(self, session_id: str) -> None:
        """Take a session out with its runs and their entries."""
        async with self._engine.begin() as connection:
            await self._locked_session(connection, session_id)
            await connection.execute(delete(SESSIONS).where(SESSIONS.c.id == session_id))

    async def start_run(self, session_id: str, task: str, *, config: Json | None = None) -> Run:
        """Begin a run, the next in its session, owned by this process."""
        now, run_id = self._now(), self._new_id()
        async with self._engine.begin() as connection:
            row = await self._locked_session(connection, session_id)
            if row.status != "active":
                raise RunConflictError(f"session {session_id} is archived; begin a new one")
            number = row.last_run + 1
            changed = update(SESSIONS).where(SESSIONS.c.id == session_id)
            await connection.execute(changed.values(last_run=number, updated_at=now))
            await connection.execute(
                insert(RUNS).values(
                    id=run_id, session_id=session_id, run_number=number,
                    agent_type=row.agent_type, task=task, status="running",
                    config=dict(config) if config is not None else None,
                    started_at=now, created_at=now, owner=self._owner,
                )
            )  # fmt: skip
        return await self.get_run(run_id)

    async def get_run(self, run_id: str) -> Run:
        """Return a run."""
        return _run(await self._one(select(RUNS).where(RUNS.c.id == run_id), "run", run_id))

    async def list_runs(self, session_id: str, *, status: RunStatus | None = None) -> Sequence[Run]:
        """Return the runs of a session, in their order."""
        await self.get_session(session_id)
        asked = select(RUNS).where(RUNS.c.session_id == session_id).order_by(RUNS.c.run_number)
        if status:
            asked = asked.where(RUNS.c.status == status)
        return [_run(row) for row in await self._all(asked)]

    async def set_context_summary(self, run_id: str, summary: str) -> None:
        """Keep what the run was told of the earlier ones."""
        async with self._engine.begin() as connection:
            changed = update(RUNS).where(RUNS.c.id == run_id).values(context_summary=summary)
            if not (await connection.execute(changed)).rowcount:
                raise NotFoundError(f"run {run_id!r} not found")

    async def append(
        self, run_id: str, entry_type: EntryType, data: Json, *, step_number: int | None = None
    ) -> RunEntry:
        """Write the next entry of a running run; it is on disk when this returns."""
        async with self._engine.begin() as connection:
            entry = await self._append(connection, run_id, entry_type, data, step_number)
        await self._wake()
        return entry

    async def finish_run(
        self, run_id: str, status: RunStatus, *, result: Json | None = None
    ) -> Run:
        """End a running run."""
        async with self._engine.begin() as connection:
            changed = (
                update(RUNS)
                .where(RUNS.c.id == run_id, RUNS.c.status == "running")
                .values(
                    status=status, completed_at=self._now(),
                    result=dict(result) if result is not None else None,
                )
            )  # fmt: skip
            if not (await connection.execute(changed)).rowcount:
                await self._refuse(connection, run_id)
            await self._notify(connection, run_id)
        await self._wake()
        return await self.get_run(run_id)

    async def entries(
        self, run_id: str, *, after: int = 0, limit: int | None = None
    ) -> Sequence[RunEntry]:
        """Return entries with a sequence number above `after`, in their order."""
        asked = (
            select(ENTRIES)
            .where(ENTRIES.c.run_id == run_id, ENTRIES.c.sequence_number > after)
            .order_by(ENTRIES.c.sequence_number)
        )
        rows = await self._all(asked.limit(limit) if limit is not None else asked)
        if not rows:
            await self.get_run(run_id)
        return [_entry(row) for row in rows]

    async def follow(
        self, run_id: str, *, after: int = 0, live: bool = True
    ) -> AsyncIterator[RunEntry | Run]:
        """Yield each entry above `after` once, in order, and at the end of the run the run."""
        while True:
            # The run is read first: what it wrote before it ended is then in the entries.
            run = await self.get_run(run_id)
            while found := await self.entries(run_id, after=after, limit=_PAGE):
                for entry in found:
                    yield entry
                after = found[-1].sequence_number
            if run.status != "running":
                yield run
                return
            if not live:
                return
            async with self._changed:
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._changed.wait(), _POLL_SECONDS)

    async def fail_interrupted(self) -> Sequence[Run]:
        """Mark the running runs of processes that are dead as failed."""
        rows = await self._all(select(RUNS.c.id, RUNS.c.owner).where(RUNS.c.status == "running"))
        others = sorted({row.owner for row in rows} - {self._owner})
        dead = set(await self._dead(others))
        failed = []
        for row in rows:
            if row.owner in dead:
                with contextlib.suppress(RunConflictError):
                    await self.append(row.id, "run:error", {"error": INTERRUPTED})
                    failed.append(
                        await self.finish_run(row.id, "failed", result={"error": INTERRUPTED})
                    )
        return failed

    async def _append(
        self,
        connection: AsyncConnection,
        run_id: str,
        entry_type: EntryType,
        data: Json,
        step_number: int | None,
    ) -> RunEntry:
        number = await connection.scalar(
            update(RUNS)
            .where(RUNS.c.id == run_id, RUNS.c.status == "running")
            .values(last_sequence=RUNS.c.last_sequence + 1)
            .returning(RUNS.c.last_sequence)
        )
        if number is None:
            await self._refuse(connection, run_id)
        entry = RunEntry(
            id=self._new_id(), run_id=run_id, sequence_number=cast(int, number),
            entry_type=entry_type, step_number=step_number, data=dict(data),
            created_at=self._now(),
        )  # fmt: skip
        await connection.execute(
            insert(ENTRIES).values(
                id=entry.id, run_id=run_id, sequence_number=number, entry_type=entry_type,
                step_number=step_number, data=dict(data), created_at=entry.created_at,
            )
        )  # fmt: skip
        await self._notify(connection, run_id)
        return entry

    async def _refuse(self, connection: AsyncConnection, run_id: str) -> None:
        row = (await connection.execute(select(RUNS.c.status).where(RUNS.c.id == run_id))).first()
        if row is None:
            raise NotFoundError(f"run {run_id!r} not found")
        raise RunConflictError(f"run {run_id} has ended ({row.status}); begin another one")

    async def _locked_session(self, connection: AsyncConnection, session_id: str) -> Row[Any]:
        asked = select(SESSIONS).where(SESSIONS.c.id == session_id).with_for_update()
        row = (await connection.execute(asked)).first()
        if row is None:
            raise NotFoundError(f"session {session_id!r} not found")
        return row

    async def _notify(self, connection: AsyncConnection, run_id: str) -> None:
        if self._engine.dialect.name == "postgresql":
            await connection.execute(text("SELECT pg_notify('calmkb_runs', :run)"), {"run": run_id})

    async def _wake(self) -> None:
        async with self._changed:
            self._changed.notify_all()

    async def _one(self, asked: Select[Any], what: str, id: str) -> Row[Any]:  # noqa: A002
        rows = await self._all(asked)
        if not rows:
            raise NotFoundError(f"{what} {id!r} not found")
        return rows[0]

    async def _all(self, asked: Select[Any]) -> Sequence[Row[Any]]:
        async with self._reading.connect() as connection:
            return list((await connection.execute(asked)).all())

    def _owners_folder(self) -> Path | None:
        """Return where the locks of living processes lie, beside the file; None on a server."""
        name = make_url(str(self._engine.url)).database
        if self._engine.dialect.name != "sqlite" or not name:
            return None
        return Path(f"{name}.owners")

    async def _dead(self, owners: Sequence[str]) -> list[str]:
        folder = self._owners_folder()
        if folder is None:
            return await dead_owners(self._engine, owners)
        return [owner for owner in owners if _is_free(folder / f"{owner}.lock")]


async def open_journal(
    url: str,
    *,
    now: Callable[[], datetime] = _now,
    new_id: Callable[[], str] = _new_id,
) -> SqlRunJournal:
    """Return the journal at a SQLAlchemy `url` (see `addresses.database_url`), ready to use."""
    if (place := make_url(url)).get_backend_name() == "sqlite" and place.database:
        Path(place.database).parent.mkdir(parents=True, exist_ok=True)
    journal = SqlRunJournal(make_engine(url), now=now, new_id=new_id)
    await journal.begin()
    return journal


def _is_free(lock_file: Path) -> bool:
    lock = FileLock(lock_file)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        return False
    lock.release()
    lock_file.unlink(missing_ok=True)
    return True


def _session(row: Row[Any]) -> RunSession:
    return RunSession(
        id=row.id, agent_type=row.agent_type, title=row.title, status=row.status,
        created_at=_utc(row.created_at), updated_at=_utc(row.updated_at),
    )  # fmt: skip


def _run(row: Row[Any]) -> Run:
    return Run(
        id=row.id, session_id=row.session_id, run_number=row.run_number,
        agent_type=row.agent_type, task=row.task, status=row.status, config=row.config,
        result=row.result, context_summary=row.context_summary, started_at=_utc(row.started_at),
        completed_at=_utc(row.completed_at) if row.completed_at else None,
        created_at=_utc(row.created_at),
    )  # fmt: skip


def _entry(row: Row[Any]) -> RunEntry:
    return RunEntry(
        id=row.id, run_id=row.run_id, sequence_number=row.sequence_number,
        entry_type=row.entry_type, step_number=row.step_number, data=row.data,
        created_at=_utc(row.created_at),
    )  # fmt: skip


def _utc(moment: datetime) -> datetime:
    """Return a time with its offset: SQLite forgets it."""
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
