"""One engine for each kind of database: how it begins, how it tells the living from the dead."""

import uuid
from typing import TYPE_CHECKING, Any

from sqlalchemy import event, text
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

if TYPE_CHECKING:
    from collections.abc import Sequence

_BUSY_MS = 30_000


def make_engine(url: str) -> AsyncEngine:
    """Return an engine whose transactions take the write lock at once on SQLite, with WAL.

    A transaction that reads first and writes later could be refused half-way; reads go through
    `reading`, which takes no lock.
    """
    if not url.startswith("sqlite"):
        return create_async_engine(url, pool_size=10, max_overflow=20, pool_pre_ping=True)
    engine = create_async_engine(url, pool_size=8, max_overflow=16)

    @event.listens_for(engine.sync_engine, "connect")
    def _prepare(connection: Any, _: object) -> None:
        connection.isolation_level = None  # SQLAlchemy, not the driver, says when it begins
        cursor = connection.cursor()
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON",
                       f"busy_timeout={_BUSY_MS}"):  # fmt: skip
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @event.listens_for(engine.sync_engine, "begin")
    def _begin(connection: Any) -> None:
        if connection.get_execution_options().get("isolation_level") != "AUTOCOMMIT":
            connection.exec_driver_sql("BEGIN IMMEDIATE")

    return engine


def reading(engine: AsyncEngine) -> AsyncEngine:
    """Return the same engine for statements that only read, each by itself."""
    return engine.execution_options(isolation_level="AUTOCOMMIT")


def advisory_key(owner: str) -> int:
    """Return the number of PostgreSQL's advisory lock that a living process holds."""
    return int.from_bytes(uuid.UUID(owner).bytes[:8], "big", signed=True)


async def dead_owners(engine: AsyncEngine, owners: "Sequence[str]") -> list[str]:
    """Return which owners hold their advisory lock no more (PostgreSQL)."""
    dead = []
    async with reading(engine).connect() as connection:
        for owner in owners:
            key = advisory_key(owner)
            got = await connection.scalar(text("SELECT pg_try_advisory_lock(:key)"), {"key": key})
            if got:
                await connection.execute(text("SELECT pg_advisory_unlock(:key)"), {"key": key})
                dead.append(owner)
    return dead
