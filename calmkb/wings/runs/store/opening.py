"""Opens the run journal's database: folder, file mode and tables, one process at a time."""

import asyncio
import contextlib
import os
from pathlib import Path

from filelock import AsyncFileLock, Timeout
from sqlalchemy import Connection, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from calmkb.errors import ConfigError, StoreError
from calmkb.wings.runs.addresses import shown
from calmkb.wings.runs.store.database import Database, FileDatabase, ServerDatabase
from calmkb.wings.runs.store.engines import file_engine, plain_errors, server_engine
from calmkb.wings.runs.store.migrations import migrate
from calmkb.wings.runs.store.tables import SETUP_LOCK

_SETUP_SECONDS = 60
_WAL = "PRAGMA journal_mode=WAL"


def database_at(url: str) -> Database:
    """Return the database at a SQLAlchemy `url`; ConfigError where a journal cannot use it."""
    try:
        place = make_url(url)
    except (ArgumentError, ValueError) as error:
        raise ConfigError(f"the run journal's address {shown(url)} cannot be read") from error
    kind = place.get_backend_name()
    if kind == "postgresql":
        return ServerDatabase(server_engine(place))
    if kind != "sqlite" or place.database in (None, "", ":memory:"):
        raise ConfigError(
            f"the run journal needs a file or a server: {shown(url)}; "
            "give sqlite:///FILE or postgres://…"
        )
    return FileDatabase(file_engine(place))


async def prepare(database: Database) -> None:
    """Create or migrate the tables; two processes may come at once."""
    if not isinstance(database, FileDatabase):
        await database.write(_migrate_server)
        return
    file = Path(database.url.database or "")
    # A file changes to write-ahead logging only while nobody else has it open.
    door = AsyncFileLock(f"{file}.owners/door.lock", timeout=_SETUP_SECONDS, mode=0o600)
    with plain_errors(database.url):
        await asyncio.to_thread(_prepare_folder, file)
        try:
            async with door:
                await database.read(lambda connection: connection.exec_driver_sql(_WAL).all())
                await database.write(migrate)
        except Timeout as error:
            raise StoreError(
                f"{door.lock_file} is locked by another program; stop it and try again"
            ) from error


def _prepare_folder(file: Path) -> None:
    """Create the folders and the file for their owner only: SQLite would use the umask."""
    for folder in (file.parent, Path(f"{file}.owners")):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with contextlib.suppress(OSError):  # SQLite says what is wrong
        os.close(os.open(file, os.O_RDWR | os.O_CREAT, 0o600))


def _migrate_server(connection: Connection) -> None:
    connection.execute(text("SELECT pg_advisory_xact_lock(:door)"), {"door": SETUP_LOCK})
    migrate(connection)
