"""Opening the run journal's database: its folder, its mode, its tables, one process at a time."""

import asyncio
from pathlib import Path

from filelock import FileLock, Timeout
from sqlalchemy import Connection, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.ext.asyncio import AsyncEngine

from calmkb.errors import ConfigError, StoreError
from calmkb.runs.addresses import shown
from calmkb.runs.engines import make_engine, told_plainly
from calmkb.runs.tables import DOOR

_DOOR_SECONDS = 60


def engine_at(url: str) -> AsyncEngine:
    """Return an engine at a SQLAlchemy `url`; ConfigError where it is none for a journal."""
    try:
        place = make_url(url)
    except (ArgumentError, ValueError) as error:
        raise ConfigError(f"the run journal's address {shown(url)} cannot be read") from error
    if place.get_backend_name() == "sqlite" and place.database in (None, "", ":memory:"):
        raise ConfigError(f"the run journal needs a file: {shown(url)}; give sqlite:///FILE")
    return make_engine(place)


async def prepare(engine: AsyncEngine) -> None:
    """Make the tables, or bring them up to date; two processes may come at once."""
    with told_plainly(engine.url):
        if engine.dialect.name == "sqlite":
            await _prepare_file(engine, Path(engine.url.database or ""))
        else:
            async with engine.begin() as connection:
                await connection.execute(
                    text("SELECT pg_advisory_xact_lock(:door)"), {"door": DOOR}
                )
                await connection.run_sync(_migrate, engine.url)


async def _prepare_file(engine: AsyncEngine, file: Path) -> None:
    folder = Path(f"{file}.owners")
    await asyncio.to_thread(folder.mkdir, parents=True, exist_ok=True)
    # A file changes to write-ahead logging only while nobody else has it open.
    door = FileLock(folder / "door.lock", thread_local=False)
    try:
        await asyncio.to_thread(door.acquire, timeout=_DOOR_SECONDS)
    except Timeout as error:
        raise StoreError(
            f"{door.lock_file} is locked by another program; stop it and try again"
        ) from error
    try:
        async with engine.execution_options(calmkb_reads=True).connect() as connection:
            await connection.exec_driver_sql("PRAGMA journal_mode=WAL")
        async with engine.begin() as connection:
            await connection.run_sync(_migrate, engine.url)
    finally:
        door.release()


def _migrate(connection: Connection, url: URL) -> None:
    from calmkb.runs.migrations import HEAD, migrate, version_of  # noqa: F401

    migrate(connection, shown(url.render_as_string(hide_password=False)))
