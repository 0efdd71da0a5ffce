"""Which files' text was looked through and found clean: until one changes it need not be again."""

import contextlib
import sqlite3
from collections.abc import Iterable

from calmkb.store.index.index import Index
from calmkb.store.index.watch import UNTRUSTED

Look = tuple[str, int]
"""A path below the journal, and the file's signature when the index read it."""


def unknown_files(index: Index, stamp: str) -> list[Look]:
    """Return the files, in path order, that are not known to be clean by the rules of `stamp`."""
    asked = (
        "SELECT f.path, f.signature FROM files f LEFT JOIN clean c ON c.path = f.path "
        "AND c.signature = f.signature AND c.stamp = ? WHERE c.path IS NULL ORDER BY f.path"
    )
    rows: list[Look] = index.db.execute(asked, (stamp,)).fetchall()
    return rows


def keep_clean(index: Index, stamp: str, looks: Iterable[Look]) -> None:
    """Remember files as clean, and forget those that are gone; a cache that is busy stays as it is.

    A signature is taken before its file is read, so that a later change is always seen.
    """
    rows = [(path, signature, stamp) for path, signature in looks if signature != UNTRUSTED]
    with contextlib.suppress(sqlite3.OperationalError):
        index.db.execute("BEGIN IMMEDIATE")
        index.db.executemany("REPLACE INTO clean VALUES (?, ?, ?)", rows)
        index.db.execute("DELETE FROM clean WHERE path NOT IN (SELECT path FROM files)")
        index.db.execute("COMMIT")
