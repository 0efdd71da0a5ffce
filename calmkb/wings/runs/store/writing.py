"""How the run journal writes: transactions that survive cancelling, entries in batches."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from sqlalchemy import Connection

from calmkb.wings.runs.model import RunEntry
from calmkb.wings.runs.store.database import Database

_AT_ONCE = 256
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Transaction:
    """A transaction, and the runs that it changes, for their followers."""

    connection: Connection
    runs: dict[str, None] = field(default_factory=dict)

    def touch(self, run_id: str) -> None:
        """Have the followers of a run notified when this is committed."""
        self.runs[run_id] = None


class Writer:
    """Runs work, completely or not at all; `notify` is called with each run that changed."""

    def __init__(self, database: Database, owner: str, notify: Callable[[str], None]) -> None:
        self._database, self._owner, self._notify = database, owner, notify
        self._busy: set[asyncio.Task[Any]] = set()

    async def write(self, work: Callable[[Transaction], T]) -> T:
        """Return what `work` returns, its transaction committed; StoreError where it is refused."""
        return await asyncio.shield(self.begin(self._write(work)))

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Return what `work` returns; StoreError where it is refused."""
        return await asyncio.shield(self.begin(self._database.read(work)))

    def begin(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Start work that `close` waits for, even where its caller is cancelled meanwhile.

        A cancelled statement would take its connection with it.
        """
        task = asyncio.create_task(work)
        self._busy.add(task)
        task.add_done_callback(self._busy.discard)
        task.add_done_callback(_retrieve_error)
        return task

    async def close(self) -> None:
        """Wait for the work in progress."""
        while self._busy:
            await asyncio.wait(self._busy)

    async def _write(self, work: Callable[[Transaction], T]) -> T:
        runs: dict[str, None] = {}

        def whole(connection: Connection) -> T:
            runs.clear()  # of a try that was undone
            value = work(Transaction(connection, runs))
            if runs:
                notes = [f"{run_id} {self._owner}" for run_id in runs]
                self._database.notify(connection, notes)
            return value

        value = await self._database.write(whole)
        for run_id in runs:
            self._notify(run_id)
        return value


AppendAll = Callable[[list[RunEntry]], Awaitable[list[RunEntry | Exception]]]


class Batches:
    """Collects the entries that come while others are written, and writes them together.

    A commit waits for the disk; eight writers then wait for it once, not eight times.
    """

    def __init__(self, writer: Writer, append_all: AppendAll) -> None:
        self._writer, self._append_all = writer, append_all
        self._waiting: list[tuple[RunEntry, asyncio.Future[RunEntry]]] = []
        self._draining = False

    async def append(self, entry: RunEntry) -> RunEntry:
        """Return the entry with its number, once it is on disk; those of one run keep order."""
        done: asyncio.Future[RunEntry] = asyncio.get_running_loop().create_future()
        done.add_done_callback(_retrieve_error)
        self._waiting.append((entry, done))
        if not self._draining:
            self._draining = True
            self._writer.begin(self._drain())
        return await asyncio.shield(done)

    async def _drain(self) -> None:
        try:
            while self._waiting:
                batch, self._waiting = self._waiting[:_AT_ONCE], self._waiting[_AT_ONCE:]
                results = await self._append([entry for entry, _ in batch])
                for (_, done), result in zip(batch, results, strict=True):
                    if isinstance(result, Exception):
                        done.set_exception(result)
                    else:
                        done.set_result(result)
        finally:
            self._draining = False

    async def _append(self, entries: list[RunEntry]) -> Sequence[RunEntry | Exception]:
        try:
            return await self._append_all(entries)
        except Exception as error:
            return [error] * len(entries)


def _retrieve_error(done: asyncio.Future[Any]) -> None:
    if not done.cancelled():
        done.exception()  # the caller may be gone; asyncio must not warn of it
