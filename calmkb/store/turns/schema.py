"""The file of the turn index, a cache beside the archive: another version is built again.

The full text knows which turns hold a word, neither where nor how often: with both it would be four
times as large. A phrase is looked for in the archive itself.
"""

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from calmkb.errors import StoreError
from calmkb.store.archive.archive import Archive
from calmkb.store.sqlite_errors import is_refused
from calmkb.system.files import make_private_folder
from calmkb.system.sources import sources_crc

NAME = "turns.sqlite"
CHANGED = "changed"
"""A file that is there while the archive may hold what the index does not."""
_WAIT_SECONDS = 30.0
_TABLES = """
CREATE TABLE sources (path TEXT PRIMARY KEY, stamp TEXT, kept TEXT) WITHOUT ROWID;
CREATE TABLE sessions (
    row INTEGER PRIMARY KEY, path TEXT UNIQUE, size INTEGER, agent TEXT, name TEXT, resume TEXT,
    folder TEXT, project TEXT, repository TEXT, started TEXT, ended TEXT, commits TEXT,
    part_of TEXT, said INTEGER
);
CREATE TABLE turns (
    row INTEGER PRIMARY KEY AUTOINCREMENT, session INTEGER, line INTEGER, part INTEGER,
    at INTEGER, place INTEGER, frame INTEGER, number INTEGER, is_tool INTEGER, same INTEGER
);
CREATE UNIQUE INDEX turns_of_session ON turns (session, line, part);
CREATE INDEX turns_by_place ON turns (session, place) WHERE is_tool = 0;
CREATE TABLE levels (chunk INTEGER PRIMARY KEY, levels BLOB);
CREATE TABLE passages (key INTEGER, turn INTEGER, PRIMARY KEY (key, turn)) WITHOUT ROWID;
CREATE VIRTUAL TABLE texts USING fts5(
    words, content = '', detail = none, columnsize = 0,
    tokenize = "porter unicode61 remove_diacritics 2"
);
"""


@cache
def version() -> int:
    """Return 31 bits that change with the tables and with what decides their rows."""
    return sources_crc(("store/turns", "store/archive"), 1) & 0x7FFFFFFF


@contextmanager
def open_index(archive: Archive, *, write: bool = False) -> Iterator[sqlite3.Connection]:
    """Give the index, empty where there was none or another version's.

    Raises StoreError where the disk refuses.
    """
    path = archive.folder / NAME
    try:
        make_private_folder(archive.folder)
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
        os.close(os.open(path, flags, 0o600))
    except OSError as error:
        raise StoreError(f"cannot use {path}: {error.strerror or error}") from error
    try:
        with contextlib.closing(_connected(path)) as db:
            if write:
                db.execute("PRAGMA synchronous = OFF")  # a cache
            yield db
    except sqlite3.OperationalError as error:
        if not is_refused(error):
            raise
        raise StoreError(f"cannot use {path}: {error}; make room, or try again") from error


def is_complete(archive: Archive) -> bool:
    """Return whether the index holds all that the archive does, as far as is known."""
    path = archive.folder / NAME
    if (archive.folder / CHANGED).exists() or not path.exists():
        return False
    try:
        with contextlib.closing(sqlite3.connect(path)) as db:
            return _version_of(db) == version()
    except sqlite3.Error:
        return False


def outdate(db: sqlite3.Connection) -> None:
    """Have the index built again when it is opened next."""
    db.execute("PRAGMA user_version = 0")


def _connected(path: Path) -> sqlite3.Connection:
    """Return a connection to tables of this version; a broken file is thrown away."""
    for _ in range(2):
        db = sqlite3.connect(path, timeout=_WAIT_SECONDS, isolation_level=None)
        try:
            if _version_of(db) != version():
                _make(db)
            db.execute("SELECT count(*) FROM sessions").fetchone()
            return db
        except sqlite3.OperationalError:
            db.close()
            raise
        except sqlite3.DatabaseError:
            db.close()
            for name in (path, path.with_name(f"{path.name}-journal")):
                name.unlink(missing_ok=True)
    raise StoreError(f"{path} is broken and cannot be made again; remove it")


def _version_of(db: sqlite3.Connection) -> int:
    found: tuple[int] = db.execute("PRAGMA user_version").fetchone()
    return found[0]


def _make(db: sqlite3.Connection) -> None:
    db.execute("BEGIN IMMEDIATE")
    if _version_of(db) != version():
        tables = db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        for name in ("words", "texts", "passages", "levels", "turns", "sessions", "sources"):
            if (name,) in tables:
                db.execute(f"DROP TABLE {name}")
        for statement in _TABLES.split(";"):
            db.execute(statement)
        db.execute(f"PRAGMA user_version = {version()}")
    db.execute("COMMIT")
