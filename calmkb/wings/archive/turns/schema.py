"""The file of the turn index, a cache beside the archive: another version is built again.

The full text knows which turns hold a word, neither where nor how often: with both it would be four
times as large. A phrase is looked for in the archive itself.
"""

import contextlib
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from calmkb.errors import StoreError
from calmkb.system.cache_file import is_refused, open_cache, version_of
from calmkb.system.files import make_private_folder
from calmkb.system.sources import sources_crc
from calmkb.wings.archive.kept.archive import Archive

NAME = "turns.sqlite"
CHANGED = "changed"  # A file that is there while the archive may hold what the index does not
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
    return sources_crc(("wings/archive/turns", "wings/archive/kept"), 1) & 0x7FFFFFFF


@contextmanager
def open_index(archive: Archive) -> Iterator[sqlite3.Connection]:
    """Give the index, empty where there was none or another version's.

    Raises StoreError where the disk refuses.
    """
    path = archive.folder / NAME
    try:
        make_private_folder(archive.folder)
        opened = open_cache(path, _TABLES, version(), wait=_WAIT_SECONDS, private=True)
    except OSError as error:
        raise StoreError(f"cannot use {path}: {error.strerror or error}") from error
    except sqlite3.Error as error:
        raise StoreError(f"cannot use {path}: {error}; make room, or try again") from error
    try:
        with contextlib.closing(opened) as db:
            db.isolation_level = None
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
            return version_of(db) == version()
    except sqlite3.Error:
        return False


def outdate(db: sqlite3.Connection) -> None:
    """Have the index built again when it is opened next."""
    db.execute("PRAGMA user_version = 0")
