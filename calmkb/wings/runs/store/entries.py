"""Numbers and writes the entries of runs, and ends the runs of dead processes."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial

from sqlalchemy import Connection, bindparam, func, insert, select, update

from calmkb.errors import NotFoundError, RunConflictError
from calmkb.wings.runs.model import Run, RunEntry
from calmkb.wings.runs.store.tables import ENTRIES, RUNS, run_of
from calmkb.wings.runs.store.values import new_id
from calmkb.wings.runs.store.writing import Transaction, Writer, retrieve_error

_AT_ONCE = 256
INTERRUPTED = "the process that ran it was stopped"
Dead = Callable[[Sequence[str], Connection], Sequence[str]]
# Made once: to put them together takes longer than SQLite needs for them.
_TAKE_NUMBERS = (
    update(RUNS)
    .where(RUNS.c.id == bindparam("run"), RUNS.c.status == "running")
    .values(last_sequence=RUNS.c.last_sequence + bindparam("count"))
    .returning(RUNS.c.last_sequence)
)
_INSERT_ENTRY = insert(ENTRIES)


def add_entries(
    transaction: Transaction, *, entries: Sequence[RunEntry]
) -> list[RunEntry | Exception]:
    """Write entries with the next numbers of their runs; an error in place of one whose run ended.

    The numbers are given out with the run's row locked until they are there to be read, so that
    no reader sees a number before the ones below it.
    """
    numbers = {
        run_id: _numbers(transaction, run_id, sum(one.run_id == run_id for one in entries))
        # In one order everywhere: two writers never wait for each other.
        for run_id in sorted({entry.run_id for entry in entries})
    }
    results: list[RunEntry | Exception] = []
    for entry in entries:
        number = next(numbers[entry.run_id])
        results.append(
            replace(entry, sequence_number=number) if isinstance(number, int) else number
        )
    written = [one for one in results if isinstance(one, RunEntry)]
    if written:
        rows = [{column.name: getattr(one, column.name) for column in ENTRIES.c} for one in written]
        transaction.connection.execute(_INSERT_ENTRY, rows)
    for entry in written:
        transaction.touch(entry.run_id)
    return results


class Batches:
    """Collects the entries that come while others are written, and writes them together.

    A commit waits for the disk; eight writers then wait for it once, not eight times.
    """

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self._waiting: list[tuple[RunEntry, asyncio.Future[RunEntry]]] = []
        self._draining = False

    async def append(self, entry: RunEntry) -> RunEntry:
        """Return the entry with its number, once it is on disk; those of one run keep order."""
        done: asyncio.Future[RunEntry] = asyncio.get_running_loop().create_future()
        done.add_done_callback(retrieve_error)
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
            return await self._writer.write(partial(add_entries, entries=entries))
        except Exception as error:
            return [error] * len(entries)


def not_running(transaction: Transaction, run_id: str) -> NotFoundError | RunConflictError:
    """Return why a run takes no entries: it does not exist, or has ended."""
    asked = select(RUNS.c.status).where(RUNS.c.id == run_id)
    row = transaction.connection.execute(asked).first()
    if row is None:
        return NotFoundError(f"run {run_id!r} not found")
    return RunConflictError(f"run {run_id} has ended ({row.status}); begin another one")


def dead_owners(connection: Connection, *, me: str, dead: Dead) -> Sequence[str]:
    """Return the dead processes that running runs belong to; nothing is locked for the look."""
    of_others = select(RUNS.c.owner).where(RUNS.c.status == "running", RUNS.c.owner != me)
    return dead(sorted(row.owner for row in connection.execute(of_others.distinct())), connection)


def fail_runs_of(
    transaction: Transaction, *, owners: Sequence[str], now: Callable[[], datetime]
) -> Sequence[Run]:
    """End the running runs of dead processes, each with a `run:error` entry."""
    theirs = select(RUNS.c.id).where(RUNS.c.status == "running", RUNS.c.owner.in_(owners))
    ids = [row.id for row in transaction.connection.execute(theirs.order_by(RUNS.c.id))]
    failed = [_fail(transaction, run_id, now()) for run_id in ids]
    return sorted((run for run in failed if run), key=lambda run: (run.created_at, run.id))


def _fail(transaction: Transaction, run_id: str, now: datetime) -> Run | None:
    """End a run; None where another process has ended it meanwhile."""
    last_step = select(func.max(ENTRIES.c.step_number)).where(ENTRIES.c.run_id == run_id)
    step = int(transaction.connection.scalar(last_step) or 0)
    error = RunEntry(
        id=new_id(), run_id=run_id, sequence_number=0, entry_type="run:error",
        step_number=step, data={"error": INTERRUPTED, "stepNumber": step}, created_at=now,
    )  # fmt: skip
    (written,) = add_entries(transaction, entries=[error])
    if isinstance(written, Exception):
        return None
    ending = update(RUNS).where(RUNS.c.id == run_id).values(
        status="failed", completed_at=now, result={"error": INTERRUPTED}
    )  # fmt: skip
    return run_of(transaction.connection.execute(ending.returning(*RUNS.c)).one())


def _numbers(
    transaction: Transaction, run_id: str, count: int
) -> Iterator[int | NotFoundError | RunConflictError]:
    """Return the next `count` numbers of a run, or why there are none as often."""
    last = transaction.connection.execute(_TAKE_NUMBERS, {"run": run_id, "count": count}).scalar()
    if last is None:
        return iter([not_running(transaction, run_id)] * count)
    return iter(range(last - count + 1, last + 1))
