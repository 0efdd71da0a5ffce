"""One connection that shows a process is alive and listens for others' writes (PostgreSQL)."""

import asyncio
import contextlib
import uuid
from collections.abc import Sequence

import psycopg
from sqlalchemy import Connection, bindparam, text

from calmkb.errors import StoreError
from calmkb.wings.runs.addresses import shown
from calmkb.wings.runs.store.database import CHANNEL, Database
from calmkb.wings.runs.store.engines import CHECK_SERVER, CONNECTING, first_line
from calmkb.wings.runs.store.tail import Tails

_QUIET_SECONDS = 20.0
_PAUSES = (0.0, 0.1, 0.2, 0.5, 1.0, 2.0)
# The server should notice too when our machine is gone.
_ALIVE = "-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3"

_HELD = text(
    "SELECT (classid::bigint << 32) | objid::bigint AS key FROM pg_locks "
    "WHERE locktype = 'advisory' AND objsubid = 1 AND granted "
    "AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) "
    "AND ((classid::bigint << 32) | objid::bigint) IN :keys"
).bindparams(bindparam("keys", expanding=True))


class PostgresLiveness:
    """Holds an advisory lock and listens; both are taken again after a lost connection."""

    def __init__(self, database: Database, owner: str, tails: Tails) -> None:
        self._database, self._owner, self._tails = database, owner, tails
        self._connection: psycopg.AsyncConnection | None = None
        self._listening: asyncio.Task[None] | None = None

    async def begin(self) -> None:
        """Take the lock, listen, and go on listening."""
        self._connection = await self._connect()
        self._listening = asyncio.create_task(self._keep_listening(self._connection))

    def dead(self, owners: Sequence[str], connection: Connection) -> Sequence[str]:
        """Return the owners that no longer hold their lock."""
        if not owners:
            return []
        keys = {owner: advisory_key(owner) for owner in owners}
        rows = connection.execute(_HELD, {"keys": list(keys.values())})
        held = {row.key for row in rows}
        return [owner for owner, key in keys.items() if key not in held]

    async def close(self) -> None:
        """Stop listening; the lock goes with the connection."""
        if self._listening:
            self._listening.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._listening
        await self._disconnect()

    async def _connect(self) -> psycopg.AsyncConnection:
        args, named = self._database.engine.dialect.create_connect_args(self._database.url)
        named = {**CONNECTING, "options": _ALIVE, **named}
        try:
            connection = await psycopg.AsyncConnection.connect(*args, autocommit=True, **named)
        except psycopg.Error as error:
            raise self._fault(error) from error
        try:
            await connection.execute(f"LISTEN {CHANNEL}")
            # Shared: the server may not have noticed yet that our last connection is gone.
            await connection.execute(
                "SELECT pg_advisory_lock_shared(%s)", [advisory_key(self._owner)]
            )
        except BaseException:
            await connection.close()
            raise
        return connection

    async def _keep_listening(self, connection: psycopg.AsyncConnection) -> None:
        while True:
            with contextlib.suppress(psycopg.Error, OSError):
                await self._listen(connection)
            await self._disconnect()
            connection = self._connection = await self._reconnect()

    async def _listen(self, connection: psycopg.AsyncConnection) -> None:
        self._tails.wake(None)  # for what was written while nobody listened
        while True:
            async for note in connection.notifies(timeout=_QUIET_SECONDS):
                run_id, _, writer = note.payload.partition(" ")
                if writer != self._owner:
                    self._tails.wake(run_id)
            await connection.execute("SELECT 1")

    async def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection:
            await connection.close()

    async def _reconnect(self) -> psycopg.AsyncConnection:
        tried = 0
        while True:
            await asyncio.sleep(_PAUSES[min(tried, len(_PAUSES) - 1)])
            tried += 1
            try:
                return await self._connect()
            except (StoreError, psycopg.Error, OSError) as error:
                if tried > 1:
                    self._tails.fail(self._fault(error))

    def _fault(self, error: Exception) -> StoreError:
        if isinstance(error, StoreError):
            return error
        address = shown(self._database.url.render_as_string(hide_password=False))
        return StoreError(
            f"the run journal at {address} does not answer: {first_line(error)}; {CHECK_SERVER}"
        )


def advisory_key(owner: str) -> int:
    """Return the number of PostgreSQL's advisory lock that a living process holds."""
    return int.from_bytes(uuid.uuid5(uuid.NAMESPACE_OID, owner).bytes[:8], "big", signed=True)
