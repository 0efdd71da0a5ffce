"""The run journal on SQLAlchemy: one set of tables, SQLite or PostgreSQL."""

import zlib
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import aclosing
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import select

from calmkb.wings.runs.model import ENTRY_TYPES, EntryType, Json, Run, RunEntry
from calmkb.wings.runs.store import values
from calmkb.wings.runs.store.changes import RunChanges
from calmkb.wings.runs.store.database import Database, FileDatabase
from calmkb.wings.runs.store.entries import Batches, dead_owners, fail_runs_of
from calmkb.wings.runs.store.liveness import FileLiveness
from calmkb.wings.runs.store.opening import database_at, prepare
from calmkb.wings.runs.store.reading import RunReader
from calmkb.wings.runs.store.tables import RUNS
from calmkb.wings.runs.store.tail import Tails
from calmkb.wings.runs.store.writing import Writer

if TYPE_CHECKING:
    from calmkb.wings.runs.store.liveness_postgres import PostgresLiveness


def _now() -> datetime:
    return datetime.now(UTC)


class RunJournal(RunReader, RunChanges):
    """Sessions, runs and entries in a database; made by `open_journal`, used in one event loop.

    Every method is safe under many writers and processes. NotFoundError on an unknown id,
    RunConflictError on a change that the state forbids (a run in an archived session, an entry in
    a run that has ended), RecordError on an invalid value, StoreError where the database refuses
    or cannot be reached. A write whose caller is cancelled is completed, or not done at all.
    """

    def __init__(self, database: Database, *, now: Callable[[], datetime] = _now) -> None:
        self._database, self._clock = database, now
        self._owner = values.new_id()
        self._tails = Tails(self, database.watch if isinstance(database, FileDatabase) else None)
        self._liveness = _liveness_of(database, self._owner, self._tails)
        self._writer = Writer(database, self._owner, self._tails.wake)
        self._lanes = [Batches(self._writer) for _ in range(database.lanes)]

    async def begin(self) -> None:
        """Create the tables and show that this process is alive."""
        await prepare(self._database)
        await self._liveness.begin()

    async def close(self) -> None:
        """Close the database; runs of this process that still run are not touched."""
        await self._tails.close()
        await self._writer.close()
        await self._liveness.close()
        await self._database.close()

    async def runs_to_cancel(self) -> Sequence[str]:
        """Return the running runs of this process that any process asked to cancel."""
        asked = select(RUNS.c.id).where(
            RUNS.c.owner == self._owner, RUNS.c.status == "running",
            RUNS.c.cancel_asked_at.is_not(None),
        )  # fmt: skip
        return [row.id for row in await self._all(asked)]

    async def append(
        self, run_id: str, entry_type: EntryType, data: Json, *, step_number: int | None = None
    ) -> RunEntry:
        """Write the next entry of a running run; it is on disk when this returns.

        Data over 1 MiB are cut (see `values.entry_data_of`); RecordError on an unknown type.
        """
        entry = RunEntry(
            id=values.new_id(), run_id=values.id_of(run_id, "run"), sequence_number=0,
            entry_type=values.one_of(ENTRY_TYPES, entry_type, "entry_type"),
            step_number=values.step_of(step_number),
            data=values.entry_data_of(data), created_at=self._now(),
        )  # fmt: skip
        # Always the same queue for a run: its entries keep their order.
        lane = self._lanes[zlib.crc32(entry.run_id.encode()) % len(self._lanes)]
        return await lane.append(entry)

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

        Who is dead is found by reading alone, so that a busy database is not locked for it. All is
        one transaction then: of two servers that start at once the second finds nothing left.
        """
        look = partial(dead_owners, me=self._owner, dead=self._liveness.dead)
        if not (gone := await self._writer.read(look)):
            return []
        work = partial(fail_runs_of, owners=gone, now=self._now)
        return await self._writer.write(work)


async def open_journal(url: str, *, now: Callable[[], datetime] = _now) -> RunJournal:
    """Return the journal at a SQLAlchemy `url` (see `addresses.database_url`), ready to use.

    Tables are created or migrated. ConfigError on an invalid address, StoreError where the
    database cannot be reached or is of a newer calmkb.
    """
    journal = RunJournal(database_at(url), now=now)
    try:
        await journal.begin()
    except BaseException:
        await journal.close()
        raise
    return journal


def _liveness_of(database: Database, owner: str, tails: Tails) -> "FileLiveness | PostgresLiveness":
    if isinstance(database, FileDatabase):
        return FileLiveness(Path(database.url.database or ""), owner)
    from calmkb.wings.runs.store.liveness_postgres import PostgresLiveness

    return PostgresLiveness(database, owner, tails)
