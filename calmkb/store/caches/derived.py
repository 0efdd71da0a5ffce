"""What was made of records, by a key of all that it depends on: SQLite beside the index.

A row holds a checksum of its key and value. One that is damaged, cannot be read or is another's is
no row; where the file cannot be opened or written, everything is made again each time.
"""

import contextlib
import json
import sqlite3
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any
from zlib import crc32

from calmkb.store.sqlite_errors import is_refused

KEPT_DAYS = 30
"""A row that nobody asked for in so many days is forgotten."""
_TABLE = """CREATE TABLE IF NOT EXISTS derived
    (key TEXT PRIMARY KEY, value TEXT, checksum INTEGER, used INTEGER) WITHOUT ROWID"""
_DAY = 86_400


class DerivedCache:
    """JSON values by key, KeyError where there is none; new ones are written as the block ends."""

    def __init__(self, path: Path | None, now: datetime) -> None:
        self._path, self._today = path, int(now.timestamp()) // _DAY
        self._new: dict[str, str] = {}
        self._asked: set[str] = set()
        self._db: sqlite3.Connection | None = None
        self._broken = False

    def __enter__(self) -> "DerivedCache":
        with contextlib.suppress(sqlite3.Error, OSError):
            self._db = _open(self._path) if self._path else None
        return self

    def __exit__(self, *_: object) -> None:
        if self._db is None:
            return
        with contextlib.closing(self._db), self._caught():
            self._write(self._db)
        self._db = None
        if self._broken and self._path:
            with contextlib.suppress(OSError):
                self._path.unlink()  # made again the next time

    def __getitem__(self, key: str) -> Any:
        if key in self._new:
            return json.loads(self._new[key])
        row = self._row(key)
        if row is None or row[1] != _checksum(key, row[0]):
            raise KeyError(key)
        if row[2] != self._today:
            self._asked.add(key)
        try:
            return json.loads(row[0])
        except (ValueError, RecursionError):
            raise KeyError(key) from None

    def __setitem__(self, key: str, value: Any) -> None:
        self._new[key] = json.dumps(value, separators=(",", ":"))

    def _row(self, key: str) -> tuple[str, int, int] | None:
        asked = "SELECT value, checksum, used FROM derived WHERE key = ?"
        with self._caught():
            if self._db is not None:
                row: tuple[str, int, int] | None = self._db.execute(asked, (key,)).fetchone()
                return row
        return None

    @contextlib.contextmanager
    def _caught(self) -> Iterator[None]:
        """Go on without the file where it is busy or cannot be written, or is found damaged."""
        try:
            yield
        except sqlite3.Error as error:
            self._broken |= not is_refused(error)

    def _write(self, db: sqlite3.Connection) -> None:
        if not self._new and not self._asked:
            return
        rows = [(k, v, _checksum(k, v), self._today) for k, v in self._new.items()]
        asked = [(self._today, key) for key in self._asked]
        with db:
            db.executemany("INSERT OR REPLACE INTO derived VALUES (?, ?, ?, ?)", rows)
            db.executemany("UPDATE derived SET used = ? WHERE key = ?", asked)
            db.execute("DELETE FROM derived WHERE used < ?", (self._today - KEPT_DAYS,))


def _checksum(key: str, value: object) -> int:
    return crc32(f"{key}\0{value}".encode(errors="replace"))


def _open(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, timeout=5)
    try:
        db.execute("PRAGMA synchronous = OFF")  # a cache
        db.execute(_TABLE)
    except sqlite3.DatabaseError as error:
        db.close()
        if not is_refused(error):
            path.unlink()  # made again the next time
        raise
    return db
