"""Runs transactions in threads: one writer for SQLite, several for a server."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeVar

from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import DBAPIError

from calmkb.wings.runs.store.engines import plain_errors

T = TypeVar("T")
CHANNEL = "calmkb_runs"
_READERS = 4
_WATCH_SECONDS = 0.02
_NOTIFY = text("SELECT pg_notify(:channel, note) FROM unnest(CAST(:notes AS text[])) AS note")


class Database:
    """Runs work, written once for both engines, which is given a connection.

    Work is one visit to a thread: a visit for each statement would cost more than the disk.
    """

    lanes = 1
    """How many writes run at once."""

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
        """Return what `work` returns, run by a reader thread."""
        return await asyncio.get_running_loop().run_in_executor(self._readers, work)

    def connect(self) -> Connection:
        """Return a connection for reading; the caller closes it."""
        return self._reading.connect()

    def notify(self, connection: Connection, notes: list[str]) -> None:
        """Notify other processes once this transaction is committed, where the engine can."""

    async def close(self) -> None:
        """Close all connections."""
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
    """SQLite: one writer a process, since SQLite's own waiting sleeps and is unfair."""

    async def watch(self, changed: Callable[[None], None], wanted: Callable[[], bool]) -> None:
        """Call `changed` at once and whenever another connection has committed, while `wanted`.

        A SQLite file notifies nobody. `PRAGMA data_version` reads a page of shared memory; it is
        asked fifty times a second.
        """
        with plain_errors(self.url):
            connection = await self.in_thread(self.connect)
            try:
                ask = partial(connection.exec_driver_sql, "PRAGMA data_version")
                seen = None
                while wanted():
                    version = await self.in_thread(lambda: ask().scalar())
                    if version != seen:
                        seen = version
                        changed(None)
                    await asyncio.sleep(_WATCH_SECONDS)
            finally:
                connection.close()


class ServerDatabase(Database):
    """PostgreSQL: it notifies listeners, and a connection may be lost while it is in the pool."""

    lanes = 8

    def notify(self, connection: Connection, notes: list[str]) -> None:
        """Notify the listeners."""
        connection.execute(_NOTIFY, {"channel": CHANNEL, "notes": notes})

    def _write(self, work: Callable[[Connection], T]) -> T:
        return self._try(super()._write, work)

    def _read(self, work: Callable[[Connection], T]) -> T:
        return self._try(super()._read, work)

    def _try(
        self, run: Callable[[Callable[[Connection], T]], T], work: Callable[[Connection], T]
    ) -> T:
        """Run work, and again where its connection turns out to be lost.

        Testing each connection first would cost every entry a round trip. Work that completed is
        not run again: its commit may have got through.
        """
        worked = False

        def once(connection: Connection) -> T:
            nonlocal worked
            value = work(connection)
            worked = True
            return value

        try:
            return run(once)
        except DBAPIError as error:
            if worked or not error.connection_invalidated:
                raise
        return run(once)
