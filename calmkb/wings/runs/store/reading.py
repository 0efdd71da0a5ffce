"""What a run journal reads: sessions, runs and entries as they are stored."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any

from sqlalchemy import Connection, Row, Select, Table, Text, cast, select

from calmkb.errors import NotFoundError, RecordError
from calmkb.wings.runs.model import Run, RunEntry, RunSession, RunStatus, SessionStatus
from calmkb.wings.runs.store import values
from calmkb.wings.runs.store.tables import ENTRIES, RUNS, SESSIONS, entry_of, run_of, session_of
from calmkb.wings.runs.store.tail import Head
from calmkb.wings.runs.store.values import dumps, storable
from calmkb.wings.runs.store.writing import Writer

WORDS = 10  # the most words of a query that are looked for
_SEARCHED = ("text", "tool:starting", "tool:complete", "run:complete", "run:error", "run:started")
_SCANNED = 5_000


@dataclass(frozen=True, slots=True)
class Hit:
    """An entry that was found, and the task of its run."""

    task: str
    entry: RunEntry


class RunReader:
    """The questions of `RunJournal`; NotFoundError on an unknown id."""

    _writer: Writer

    async def get_session(self, session_id: str) -> RunSession:
        """Return a session."""
        return session_of(await self._one(SESSIONS, "session", session_id))

    async def list_sessions(
        self, *, status: SessionStatus | None = None, agent_type: str | None = None,
        limit: int = 50, offset: int = 0,
    ) -> Sequence[RunSession]:  # fmt: skip
        """Return sessions, newest first; RecordError on a negative limit or offset."""
        asked = _newest(SESSIONS, limit, offset, status=status, agent_type=agent_type)
        return [session_of(row) for row in await self._all(asked)]

    async def get_run(self, run_id: str) -> Run:
        """Return a run."""
        return (await self.head(run_id)).run

    async def head(self, run_id: str) -> Head:
        """Return a run, and the number of its last entry at the same moment."""
        row = await self._one(RUNS, "run", run_id)
        return Head(run_of(row), row.last_sequence)

    async def list_runs(self, session_id: str) -> Sequence[Run]:
        """Return the runs of a session, in their order."""
        await self.get_session(session_id)
        asked = select(RUNS).where(RUNS.c.session_id == session_id).order_by(RUNS.c.run_number)
        return [run_of(row) for row in await self._all(asked)]

    async def list_recent_runs(
        self, *, status: RunStatus | None = None, since: datetime | None = None,
        limit: int = values.LARGEST, offset: int = 0,
    ) -> Sequence[Run]:  # fmt: skip
        """Return runs of all sessions that started at `since` or later, newest first."""
        asked = _newest(RUNS, limit, offset, status=status)
        if since is not None:
            asked = asked.where(RUNS.c.created_at >= since.astimezone(UTC))
        return [run_of(row) for row in await self._all(asked)]

    async def search(self, query: str, *, limit: int = 50) -> Sequence[Hit]:
        """Return the newest entries that hold every word of `query`."""
        return await self._writer.read(partial(search_entries, query=query, limit=limit))

    async def entries(
        self, run_id: str, *, after: int = 0, limit: int | None = None
    ) -> Sequence[RunEntry]:
        """Return entries with a sequence number above `after`, in their order."""
        own = ENTRIES.c.run_id == values.id_of(run_id, "run")
        above = ENTRIES.c.sequence_number > min(max(after, 0), values.LARGEST)
        asked = select(ENTRIES).where(own, above).order_by(ENTRIES.c.sequence_number)
        if limit is not None:
            asked = asked.limit(min(max(limit, 0), values.LARGEST))
        rows = await self._all(asked)
        if not rows:
            await self.head(run_id)
        return [entry_of(row) for row in rows]

    async def _one(self, table: Table, what: str, id: str) -> Row[Any]:  # noqa: A002
        rows = await self._all(select(table).where(table.c.id == values.id_of(id, what)))
        if not rows:
            raise NotFoundError(f"{what} {id!r} not found")
        return rows[0]

    async def _all(self, asked: Select[Any]) -> Sequence[Row[Any]]:
        return await self._writer.read(lambda connection: connection.execute(asked).all())


def _newest(table: Table, limit: int, offset: int, **wanted: str | None) -> Select[Any]:
    """Return the query for a page of a table's rows, of those with the wanted values if given."""
    if limit < 0 or offset < 0:
        raise RecordError(f"limit {limit} and offset {offset} must not be negative")
    # Both backwards, so that one index gives them in order.
    asked = select(table).order_by(table.c.created_at.desc(), table.c.id.desc())
    for name, value in wanted.items():
        if value:
            asked = asked.where(table.c[name] == storable(value))
    return asked.limit(min(limit, values.LARGEST)).offset(min(offset, values.LARGEST))


def search_entries(connection: Connection, *, query: str, limit: int) -> list[Hit]:
    """Return the newest entries that hold every word of `query`, in any of their values."""
    words = storable(query).split()[:WORDS]
    if not words:
        return []
    asked: Select[Any] = select(*ENTRIES.c, RUNS.c.task).join(RUNS, RUNS.c.id == ENTRIES.c.run_id)
    asked = asked.where(ENTRIES.c.entry_type.in_(_SEARCHED))
    for word in words:
        # As JSON writes it: a quote has a backslash before it.
        asked = asked.where(
            cast(ENTRIES.c.data, Text).icontains(dumps(word)[1:-1], autoescape=True)
        )
    order = (ENTRIES.c.created_at.desc(), ENTRIES.c.run_id, ENTRIES.c.sequence_number.desc())
    rows = connection.execute(asked.order_by(*order).limit(_SCANNED))
    found = (Hit(row.task, entry_of(row)) for row in rows)
    # The names of the data's fields are no words of an entry.
    hits = (hit for hit in found if _holds(hit.entry.data, words))
    return [hit for hit, _ in zip(hits, range(limit), strict=False)]


def _holds(data: Mapping[str, Any], words: Sequence[str]) -> bool:
    text = "\n".join(_texts(data)).casefold()
    return all(word.casefold() in text for word in words)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        for item in value.values():
            yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
    elif value is not None:
        yield str(value)
