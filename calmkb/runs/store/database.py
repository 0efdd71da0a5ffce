"""Where transactions are carried out: in threads, one that writes for SQLite, more on a server."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import DBAPIError

T = TypeVar("T")
CHANNEL = "calmkb_runs"
_READERS = 4
_NOTIFY = text("SELECT pg_notify(:channel, note) FROM unnest(CAST(:notes AS text[])) AS note")


class Database:
    """Carries work out that was written once for both engines; it is given a connection.

    Work is one visit to a thread: a way to and fro for each statement costs more than the disk.
    """

    lanes = 1
    """How many writes are worth having under way at once."""

    def __init__(self, engine: Engine, reading: Engine) -> None:
        self.engine, self.url, self._reading = engine, engine.url, reading
        self._writers = ThreadPoolExecutor(self.lanes, "run-journal-writer")
        self._readers = ThreadPoolExecutor(_READERS, "run-journal-reader")

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Return what `work` returns, in a transaction that is committed, or undone by an error."""
        return await asyncio.get_running_loop().run_in_executor(self._writers, self._write, work)

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Return what `work` returns, each of its statements by itself."""
        return await self.in_thread(lambda: self._read(work))

    async def in_thread(self, work: Callable[[], T]) -> T:
        """Return what `work` returns, carried out by a reader."""
        return await asyncio.get_running_loop().run_in_executor(self._readers, work)

    def connect(self) -> Connection:
        """Return a connection that reads, for one who keeps it; to be closed."""
        return self._reading.connect()

    def notify(self, connection: Connection, notes: list[str]) -> None:
        """Tell other processes, once this transaction is committed, where the engine can."""

    async def close(self) -> None:
        """Let go of all connections."""
        await asyncio.to_thread(self._close)

    def _write(self, work: Callable[[Connection], T]) -> T:
        with self.engine.begin() as connection:
            return work(connection)

    def _read(self, work: Callable[[Connection], T]) -> T:
        with self._reading.connect() as connection:
            return work(connection)

    def _close(self) -> None:
        self._writers.shutdown()
        self._readers.shutdown()
        self.engine.dispose()


class FileDatabase(Database):
    """SQLite: one writer a process needs no waiting by its own means, sleeping and unfair."""


class ServerDatabase(Database):
    """PostgreSQL: it tells who listens, and a connection may be lost as it lies in the pool."""

    lanes = 8

    def notify(self, connection: Connection, notes: list[str]) -> None:
        """Tell those who listen."""
        connection.execute(_NOTIFY, {"channel": CHANNEL, "notes": notes})

    def _write(self, work: Callable[[Connection], T]) -> T:
        return self._try(super()._write, work)

    def _read(self, work: Callable[[Connection], T]) -> T:
        return self._try(super()._read, work)

    def _try(
        self, way: Callable[[Callable[[Connection], T]], T], work: Callable[[Connection], T]
    ) -> T:
        """Carry work out, anew where its connection turns out to be lost.

        Asking each one first whether it lives would cost every entry a way to the server. Work
        that came to its end is not tried again: its commit may have got through.
        """
        worked = False

        def once(connection: Connection) -> T:
            nonlocal worked
            value = work(connection)
            worked = True
            return value

        try:
            return way(once)
        except DBAPIError as error:
            if worked or not error.connection_invalidated:
                raise
        return way(once)
