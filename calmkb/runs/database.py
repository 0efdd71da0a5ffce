"""Where transactions are carried out: a thread that writes for SQLite, a pool for PostgreSQL."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager
from typing import Protocol, TypeVar

from sqlalchemy import Connection, Engine, text
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from calmkb.runs.engines import READS

T = TypeVar("T")
_Connect = Callable[[], AbstractAsyncContextManager[AsyncConnection]]
CHANNEL = "calmkb_runs"
_READERS = 4
_NOTIFY = text("SELECT pg_notify(:channel, note) FROM unnest(CAST(:notes AS text[])) AS note")


class Database(Protocol):
    """Carries work out that was written once for both engines; it is given a connection."""

    url: URL
    engine: Engine
    listens: bool
    """Whether other processes' writes are told by the database."""
    lanes: int
    """How many writes are worth having under way at once."""

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Return what `work` returns, in a transaction that is committed, or undone by an error."""

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Return what `work` returns, each of its statements by itself."""

    def notify(self, connection: Connection, notes: list[str]) -> None:
        """Tell other processes, once this transaction is committed."""

    async def close(self) -> None:
        """Let go of all connections."""


class FileDatabase:
    """SQLite: one thread writes, a few read; each work is one visit to a thread.

    One writer a process needs no waiting by SQLite's own means, which is by sleeping, and unfair.
    """

    listens = False
    lanes = 1

    def __init__(self, engine: Engine) -> None:
        self.engine, self.url = engine, engine.url
        self._reading = engine.execution_options(**{READS: True})
        self._writer = ThreadPoolExecutor(1, "run-journal-writer")
        self._readers = ThreadPoolExecutor(_READERS, "run-journal-reader")

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Return what `work` returns, its transaction committed."""
        return await asyncio.get_running_loop().run_in_executor(self._writer, self._write, work)

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Return what `work` returns."""
        return await self.in_thread(lambda: self._read(work))

    async def in_thread(self, work: Callable[[], T]) -> T:
        """Return what `work` returns, carried out by a reader."""
        return await asyncio.get_running_loop().run_in_executor(self._readers, work)

    def connect(self) -> Connection:
        """Return a connection that reads, for one who keeps it; to be closed."""
        return self._reading.connect()

    def notify(self, connection: Connection, notes: list[str]) -> None:
        """Tell nobody: they look at the file."""

    async def close(self) -> None:
        """Let go of the file."""
        self._writer.shutdown()
        self._readers.shutdown()
        self.engine.dispose()

    def _write(self, work: Callable[[Connection], T]) -> T:
        with self.engine.begin() as connection:
            return work(connection)

    def _read(self, work: Callable[[Connection], T]) -> T:
        with self._reading.connect() as connection:
            return work(connection)


class ServerDatabase:
    """PostgreSQL: a pool of connections."""

    listens = True
    lanes = 8

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine, self.engine, self.url = engine, engine.sync_engine, engine.url
        self._reading = engine.execution_options(isolation_level="AUTOCOMMIT")

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Return what `work` returns, its transaction committed."""
        return await self._try(work, self._engine.begin)

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Return what `work` returns."""
        return await self._try(work, self._reading.connect)

    def notify(self, connection: Connection, notes: list[str]) -> None:
        """Tell those who listen."""
        connection.execute(_NOTIFY, {"channel": CHANNEL, "notes": notes})

    async def close(self) -> None:
        """Let go of the pool."""
        await self._engine.dispose()

    async def _try(self, work: Callable[[Connection], T], connect: _Connect) -> T:
        """Carry work out, anew where a connection was lost as it lay in the pool.

        Asking each one first whether it lives would cost every entry a way to the server. Work
        that came to its end is not tried again: its commit may have got through.
        """
        worked = False

        def once(connection: Connection) -> T:
            nonlocal worked
            value = work(connection)
            worked = True
            return value

        for last in (False, True):
            try:
                async with connect() as connection:
                    return await connection.run_sync(once)
            except DBAPIError as error:
                if last or worked or not error.connection_invalidated:
                    raise
        raise AssertionError
