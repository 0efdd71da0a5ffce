"""The index's file: its tables, its place, and when it is rebuilt.

It is a cache inside the git directory. Nothing is migrated: another version is built again.
"""

import contextlib
import os
import sqlite3
from binascii import crc32
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path

from calmkb.system.cache_file import is_refused, version_of
from calmkb.system.git_files import git_dir_at
from calmkb.system.sources import sources_crc

_FORMAT = 6  # raise it with any change to what the tables hold that no file of `_SOURCES` shows
_SOURCES = ("model", "documents", "store/index")
"""The packages that decide what a row holds: records, how they are read, and the tables."""
WAIT_SECONDS = 60.0
"""How long one process waits for another to build the index, before it looks for itself."""

_TABLES = """
CREATE TABLE folders (path TEXT PRIMARY KEY, signature INTEGER) WITHOUT ROWID;
CREATE TABLE files (row INTEGER PRIMARY KEY, path TEXT UNIQUE, folder TEXT, signature INTEGER);
CREATE INDEX files_of_folder ON files (folder);
CREATE TABLE watch (kind TEXT PRIMARY KEY, paths TEXT, signatures BLOB, looked INTEGER);
CREATE TABLE problems (row INTEGER PRIMARY KEY, line INTEGER, message TEXT);
CREATE TABLE records (
    row INTEGER PRIMARY KEY, kind TEXT, id TEXT, created INTEGER, path TEXT, project TEXT,
    repository TEXT, directory TEXT, reflection INTEGER, characters INTEGER, record TEXT,
    session TEXT, written INTEGER, successor INTEGER
);
CREATE INDEX records_by_id ON records (id);
CREATE INDEX records_by_time ON records (kind, created, id, path);
CREATE INDEX records_of_project ON records (project, kind, created);
CREATE INDEX records_of_directory ON records (directory) WHERE directory != '';
CREATE INDEX records_of_session ON records (session) WHERE session IS NOT NULL;
CREATE INDEX records_replaced ON records (successor, id) WHERE successor IS NOT NULL;
CREATE INDEX records_unreflected ON records (created, id, path)
    WHERE reflection IS NULL AND kind = 'session' AND successor IS NULL;
CREATE TABLE head (commit_id TEXT);
CREATE TABLE absent (path TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE clean (path TEXT PRIMARY KEY, signature INTEGER, stamp TEXT) WITHOUT ROWID;
CREATE TABLE covers (entry TEXT, row INTEGER);
CREATE INDEX covers_of_entry ON covers (entry);
CREATE INDEX covers_of_row ON covers (row);
"""
_RANK = "bm25(4.0, 2.0, 1.0, 0.0)"
"""BM25 with the weights of title, friction, the rest, and marks, which only narrow a search."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_TEXTS = """
CREATE VIRTUAL TABLE texts USING fts5(
    title, friction, rest, marks, tokenize = "porter unicode61 remove_diacritics 2", prefix = '3'
);
"""


def git_directory(folder: Path) -> Path | None:
    """Return the git directory around `folder`, or None.

    Asking git costs three milliseconds of every list, and a wrong guess costs only the cache.
    """
    here = folder.resolve()
    found = map(git_dir_at, (here, *here.parents))
    return next((git_dir for git_dir in found if git_dir), None)


def index_path(journal: Path) -> str | None:
    """Return where the index of `journal` lies, whose folder is made; None where it cannot.

    One repository can hold several knowledge bases, so the name tells the folder.
    """
    git_dir = git_directory(journal)
    if git_dir is None or not git_dir.is_dir():
        return None
    within = os.path.relpath(journal.resolve(), git_dir)
    try:
        (git_dir / "calmkb").mkdir(exist_ok=True)
    except OSError:
        return None
    return str(git_dir / "calmkb" / f"index-{crc32(os.fsencode(within)):08x}.sqlite")


def microseconds(moment: datetime) -> int:
    """Return a time as the number that `created` holds: exact, and it sorts."""
    return (moment - _EPOCH) // timedelta(microseconds=1)


def mark(column: str, value: str) -> str:
    """Return the word in `marks` that means a record's kind or project.

    Full text narrows by a word far faster than by a look at each record.
    """
    return f"{column}{crc32(value.encode(errors='replace')):08x}"


def connect(path: str) -> sqlite3.Connection:
    """Return a connection in which transactions are opened by hand."""
    return sqlite3.connect(path, timeout=WAIT_SECONDS, isolation_level=None)


@contextlib.contextmanager
def writing(db: sqlite3.Connection) -> Iterator[None]:
    """Hold the one transaction that may write; undo it if the block raises."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        with contextlib.suppress(sqlite3.Error):
            db.execute("ROLLBACK")
        raise


@cache
def version(package: Path = Path(__file__).parents[2]) -> int:
    """Return 31 bits that change with the records' fields, how they are read, and the tables.

    Nobody has to raise a number by hand: a field that is added is never shown as empty because an
    older index is still there.
    """
    return sources_crc(_SOURCES, _FORMAT, package) & 0x7FFFFFFF


def has_tables(db: sqlite3.Connection) -> bool:
    """Say whether the index was made by this version."""
    return version_of(db) == version()


def make_tables(db: sqlite3.Connection, *, full_text: bool = True) -> None:
    """Make the tables inside the open transaction; SQLite without FTS5 goes without `texts`."""
    for statement in _TABLES.split(";"):
        db.execute(statement)
    if full_text:
        with contextlib.suppress(sqlite3.OperationalError):
            db.execute(_TEXTS)
            db.execute("INSERT INTO texts (texts, rank) VALUES ('rank', ?)", (_RANK,))
    db.execute(f"PRAGMA user_version = {version()}")


def has_full_text(db: sqlite3.Connection) -> bool:
    """Say whether there is full text to search."""
    asked = "SELECT 1 FROM sqlite_master WHERE name = 'texts'"
    return db.execute(asked).fetchone() is not None


def check_version(db: sqlite3.Connection) -> None:
    """Raise DatabaseError on a file that another version made; an empty one is no fault."""
    if not has_tables(db) and db.execute("SELECT 1 FROM sqlite_master").fetchone():
        raise sqlite3.DatabaseError("made by another version")


def discard(path: str, error: Exception) -> bool:
    """Remove a broken index and say so; one that is only locked or cannot be written stays."""
    if is_refused(error):
        return False
    for name in (path, f"{path}-journal"):
        with contextlib.suppress(OSError):
            Path(name).unlink()
    return not Path(path).exists()
