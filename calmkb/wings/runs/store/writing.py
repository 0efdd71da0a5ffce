"""How the run journal writes: transactions that survive cancelling."""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any, TypeVar

from sqlalchemy import Connection

from calmkb.wings.runs.store.database import Database

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
        task.add_done_callback(retrieve_error)
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


def retrieve_error(done: asyncio.Future[Any]) -> None:
    """Take an error out of what is done: asyncio must not warn of one whose caller is gone."""
    if not done.cancelled():
        done.exception()
