"""Runs transactions in threads: one writer for SQLite, several for a server."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from functools import partial
from typing import TypeVar

from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import DBAPIError

from calmkb.wings.runs.store.engines import may_be_retried, plain_errors, reading

T = TypeVar("T")
CHANNEL = "calmkb_runs"
_READERS = 4
_WATCH_SECONDS = 0.02
_TRIES = 5
_NOTIFY = text("SELECT pg_notify(:channel, note) FROM unnest(CAST(:notes AS text[])) AS note")


class Database:
    """Runs work, written once for both engines, which is given a connection.

    Work is one visit to a thread: a visit for each statement would cost more than the disk.
    """

    lanes = 1
    """How many writes run at once."""

    def __init__(self, engine: Engine) -> None:
        self.engine, self.url, self._reading = engine, engine.url, reading(engine)
        self._writers = ThreadPoolExecutor(self.lanes, "run-journal-writer")
        self._readers = ThreadPoolExecutor(_READERS, "run-journal-reader")

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Return what `work` returns, in a transaction that is committed, or undone by an error.

        StoreError where the database refuses it.
        """
        return await self._run(self._writers, partial(_visit, self.engine.begin, work))

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Return what `work` returns, each of its statements by itself; StoreError as `write`."""
        return await self._run(self._readers, partial(_visit, self._reading.connect, work))

    def notify(self, connection: Connection, notes: list[str]) -> None:
        """Notify other processes once this transaction is committed, where the engine can."""

    async def close(self) -> None:
        """Close all connections."""
        for threads in (self._writers, self._readers):
            await asyncio.to_thread(threads.shutdown)
        await asyncio.to_thread(self.engine.dispose)

    async def _run(self, threads: ThreadPoolExecutor, work: Callable[[], T]) -> T:
        with plain_errors(self.url):
            return await asyncio.get_running_loop().run_in_executor(threads, work)


class FileDatabase(Database):
    """SQLite: one writer a process, since SQLite's own waiting sleeps and is unfair."""

    async def watch(self, changed: Callable[[None], None], wanted: Callable[[], bool]) -> None:
        """Call `changed` at once and whenever another connection has committed, while `wanted`.

        A SQLite file notifies nobody. `PRAGMA data_version` reads a page of shared memory; it is
        asked fifty times a second.
        """
        connection = await self._run(self._readers, self._reading.connect)
        try:
            ask = partial(connection.exec_driver_sql, "PRAGMA data_version")
            seen = None
            while wanted():
                version = await self._run(self._readers, lambda: ask().scalar())
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


def _visit(
    connect: Callable[[], AbstractContextManager[Connection]], work: Callable[[Connection], T]
) -> T:
    """Run work, and again where a concurrent transaction or a lost connection undid it.

    Testing each connection first would cost every entry a round trip. Work that completed on a
    connection that is lost then is not run again: its commit may have got through.
    """
    tried = 0
    while True:
        tried += 1
        worked = False
        try:
            with connect() as connection:
                value = work(connection)
                worked = True
            return value
        except DBAPIError as error:
            is_lost = error.connection_invalidated and not worked and tried == 1
            if tried == _TRIES or not (is_lost or may_be_retried(error)):
                raise
