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

from calmkb.system.cache_file import is_refused, open_cache, remove_cache

KEPT_DAYS = 30
"""A row is forgotten so many days after it was made."""
_VERSION = 1
_TABLE = """CREATE TABLE derived
    (key TEXT PRIMARY KEY, value TEXT, checksum INTEGER, made INTEGER) WITHOUT ROWID"""
_DAY = 86_400


class DerivedCache:
    """JSON values by key, KeyError where there is none; new ones are written as the block ends.

    The file of a `private` one nobody else may read.
    """

    def __init__(self, path: Path | None, now: datetime, *, private: bool = False) -> None:
        self._path, self._private = path, private
        self._today = int(now.timestamp()) // _DAY
        self._new: dict[str, str] = {}
        self._db: sqlite3.Connection | None = None
        self._broken = False

    def __enter__(self) -> "DerivedCache":
        with contextlib.suppress(sqlite3.Error, OSError):
            if self._path:
                self._db = open_cache(self._path, _TABLE, _VERSION, private=self._private)
        return self

    def __exit__(self, *_: object) -> None:
        if self._db is None:
            return
        with contextlib.closing(self._db), self._caught():
            if self._new:
                rows = [(k, v, _checksum(k, v), self._today) for k, v in self._new.items()]
                with self._db as db:
                    db.executemany("INSERT OR REPLACE INTO derived VALUES (?, ?, ?, ?)", rows)
                    db.execute("DELETE FROM derived WHERE made < ?", (self._today - KEPT_DAYS,))
        self._db = None
        if self._broken and self._path:
            with contextlib.suppress(OSError):
                remove_cache(self._path)  # made again the next time

    def __getitem__(self, key: str) -> Any:
        if key in self._new:
            return json.loads(self._new[key])
        asked, row = "SELECT value, checksum FROM derived WHERE key = ?", None
        with self._caught():
            row = self._db.execute(asked, (key,)).fetchone() if self._db else None
        if row is None or row[1] != _checksum(key, row[0]):
            raise KeyError(key)
        return json.loads(row[0])

    def __setitem__(self, key: str, value: Any) -> None:
        self._new[key] = json.dumps(value, separators=(",", ":"))

    @contextlib.contextmanager
    def _caught(self) -> Iterator[None]:
        """Go on without the file where it is busy or cannot be written, or is found damaged."""
        try:
            yield
        except sqlite3.Error as error:
            self._broken |= not is_refused(error)


def _checksum(key: str, value: object) -> int:
    return crc32(f"{key}\0{value}".encode(errors="replace"))
