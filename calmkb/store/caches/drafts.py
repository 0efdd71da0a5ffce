"""What was read of each transcript, kept on this machine: a dry run need not be done twice."""

import contextlib
import json
import os
import sqlite3
import time
from pathlib import Path
from typing import Any

from calmkb.errors import StoreError
from calmkb.system.cache_file import open_cache
from calmkb.system.files import make_private_folder, write_atomically

NAME = "drafts.sqlite"
KEPT_DAYS = 60
"""Agents delete transcripts after thirty."""
_VERSION = 1
_TABLE = """CREATE TABLE drafts
    (path TEXT, rules TEXT, stamp TEXT, used INTEGER, made TEXT, PRIMARY KEY (path, rules))"""
_DAY = 86_400


class DraftCache:
    """Drafts by transcript and by the rules that made them; one that fails costs only time.

    What is kept must have been through the filter. Nobody else may read the file.
    """

    def __init__(self, state: Path, rules: str) -> None:
        self._rules, self._waiting = rules, 0
        self._db: sqlite3.Connection | None = None
        with contextlib.suppress(sqlite3.Error, StoreError, OSError):
            make_private_folder(state)
            self._db = open_cache(state / NAME, _TABLE, _VERSION, private=True)

    def get(self, path: Path, stamp: str) -> Any:
        """Return what was kept of a session that is still as it was at `stamp`, or None."""
        found = None
        asked = "SELECT made FROM drafts WHERE path = ? AND rules = ? AND stamp = ?"
        with contextlib.suppress(sqlite3.Error, ValueError):
            if self._db is not None:
                values = (_key(path), self._rules, stamp)
                row = self._db.execute(asked, values).fetchone()
                found = json.loads(row[0]) if row else None
        return found

    def put(self, path: Path, stamp: str, made: Any) -> None:
        """Keep what was made of a session as it was at `stamp`."""
        row = (_key(path), self._rules, stamp, int(time.time()), json.dumps(made))
        with contextlib.suppress(sqlite3.Error):
            if self._db is not None:
                self._db.execute("INSERT OR REPLACE INTO drafts VALUES (?, ?, ?, ?, ?)", row)
                self._db.commit()

    def close(self) -> None:
        """Forget what is too old, and let go of the file."""
        if self._db is None:
            return
        with contextlib.suppress(sqlite3.Error):
            old = int(time.time()) - KEPT_DAYS * _DAY
            self._db.execute("DELETE FROM drafts WHERE used < ?", (old,))
            self._db.commit()
        self._db.close()
        self._db = None


def saved_drafts(state: Path) -> bytes:
    """Return the cache in a state folder as bytes, empty where there is none."""
    try:
        return (state / NAME).read_bytes()
    except OSError:
        return b""


def restore_drafts(state: Path, data: bytes) -> None:
    """Make the cache of a state folder that has none; one that fails costs only time."""
    with contextlib.suppress(OSError, StoreError):
        if data and not (state / NAME).exists():
            make_private_folder(state)
            write_atomically(state / NAME, data, mode=0o600)


def _key(path: Path) -> str:
    """Return a path as text: a name on disk can be none."""
    return os.fsencode(path).decode(errors="backslashreplace")
