"""A cache in SQLite: nothing in it is the only copy, so one that is damaged or old is replaced."""

import contextlib
import os
import sqlite3
from pathlib import Path

MEMORY = ":memory:"
_REFUSED = {
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_PERM,
}


def open_cache(
    path: Path | str, tables: str, version: int, *, wait: float = 5, private: bool = False
) -> sqlite3.Connection:
    """Return the cache at `path` with `tables`, as `version` of their maker fills them.

    A file that is damaged or of another version is replaced. One that is `private` nobody else
    may read. Raises sqlite3.Error or OSError where it is locked, or the disk refuses.
    """
    mode, flags = 0o600 if private else 0o666, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
    if path != MEMORY:
        os.close(os.open(path, flags, mode))
    try:
        return _connected(path, tables, version, wait)
    except sqlite3.DatabaseError as error:
        if is_refused(error):
            raise
        remove_cache(Path(path))
        os.close(os.open(path, flags, mode))
    return _connected(path, tables, version, wait)


def version_of(db: sqlite3.Connection) -> int:
    """Return the version of the tables; 0 where there are none."""
    found: tuple[int] = db.execute("PRAGMA user_version").fetchone()
    return found[0]


def is_refused(error: Exception) -> bool:
    """Return whether a file is only locked, or cannot be read or written now, but not broken."""
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF in _REFUSED


def remove_cache(path: Path) -> None:
    """Remove a cache that nobody has open; OSError where that is refused."""
    for end in ("-journal", "-wal", "-shm", ""):
        path.with_name(f"{path.name}{end}").unlink(missing_ok=True)


def _connected(path: Path | str, tables: str, version: int, wait: float) -> sqlite3.Connection:
    db = sqlite3.connect(path, timeout=wait)
    try:
        db.execute("PRAGMA synchronous = OFF")  # what a crash costs is made again
        if version_of(db) != version:
            _make(db, tables, version)
        asked = "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0"
        for (name,) in db.execute(asked).fetchall():
            db.execute(f'SELECT 1 FROM "{name}" LIMIT 1').fetchone()  # noqa: S608 - a probe
    except BaseException:
        db.close()
        raise
    return db


def _make(db: sqlite3.Connection, tables: str, version: int) -> None:
    db.execute("BEGIN IMMEDIATE")
    if version_of(db) != version:  # another process may have made them meanwhile
        # Virtual tables first: those that they are made of go with them.
        asked = "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY rootpage"
        for (name,) in db.execute(asked).fetchall():
            with contextlib.suppress(sqlite3.OperationalError):
                db.execute(f'DROP TABLE IF EXISTS "{name}"')
        for statement in tables.split(";"):
            db.execute(statement)
        db.execute(f"PRAGMA user_version = {version}")
    db.execute("COMMIT")
