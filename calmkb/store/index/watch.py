"""What tells, without reading anything, that a journal's work tree is as it was when indexed.

A file that is made, deleted, renamed, or replaced (git and most editors replace) changes its
folder's time; one written in place changes only its own. Looking at 100,000 files takes a quarter
of a second here and a tenth in git; at their 5,000 day folders a hundredth. So every folder is
looked at every time, and with them every file of a small journal, or the newest `WATCHED` memories,
sessions and others. calmkb rewrites no session; an older file of a large journal that is edited in
place is seen when it is shown or all is read, and by every list within the hour (`LOOK_AGAIN`).
"""

import os
import sqlite3
import time
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    Kept = tuple[list[str], array[int]]
    """Paths below the journal, and their signatures."""

WATCHED = 500
SMALL = 6  # times WATCHED: a journal of so many files is looked at whole
LOOK_AGAIN = 3600
UNTRUSTED = 0
"""The signature of what may change within its clock's tick, or cannot be seen: never equal."""
_PLACES = (("", "n"), ("n", "s"), ("s", "\U0010ffff"))
"""Memories; reflections and what was resumed; sessions."""
_TICK = 100_000_000
_COARSE_TICK = 2_000_000_000  # FAT counts in two seconds, some others in one
_SECOND = 1_000_000_000


def signature(status: os.stat_result) -> int:
    """Return 64 bits that change with a file; its change time cannot be set back by hand."""
    times = (status.st_mtime_ns, status.st_ctime_ns)
    return hash((*times, status.st_size, status.st_ino)) or 1


def trusted_signature(status: os.stat_result, now: int) -> int:
    """Return the signature, or UNTRUSTED if a later change could still bear the same time."""
    latest = max(status.st_mtime_ns, status.st_ctime_ns)
    tick = _TICK if latest % _SECOND else _COARSE_TICK
    return signature(status) if latest + tick < now else UNTRUSTED


def clock() -> int:
    """Return the time that file times are held against."""
    return time.time_ns()


@dataclass(frozen=True, slots=True)
class Watch:
    """Paths below the journal with their signatures: all folders, and files."""

    folders: "Kept"
    files: "Kept"
    looked: int
    complete: bool


def load(db: sqlite3.Connection) -> Watch | None:
    """Return what was kept at the last refresh, or None before the first."""
    rows = {row[0]: row[1:] for row in db.execute("SELECT * FROM watch")}
    if len(rows) != 2:
        return None
    folders, files = (
        (rows[kind][0].split("\0") if rows[kind][1] else [], array("q", rows[kind][1]))
        for kind in ("folders", "files")
    )
    return Watch(folders, files, abs(rows["files"][2]), rows["files"][2] > 0)


def load_all_files(db: sqlite3.Connection) -> "Kept":
    """Return every file with its signature."""
    rows = db.execute("SELECT path, signature FROM files").fetchall()
    return [path for path, _ in rows], array("q", [kept for _, kept in rows])


def changed(base: str, kept: "Kept", look: Callable[[str], os.stat_result]) -> list[str]:
    """Return the paths below `base` that are not as they were kept."""
    paths, known = kept
    now = array("q", _signatures(base, paths, look))
    if now == known and UNTRUSTED not in known:
        return []
    pairs = zip(paths, known, now, strict=True)
    return [path for path, was, seen in pairs if was != seen or was == UNTRUSTED]


def save(db: sqlite3.Connection, watched: int, looked: int) -> None:
    """Keep what the next look compares with: two rows are read faster than thousands."""
    folders = db.execute("SELECT path, signature FROM folders").fetchall()
    _put(db, "folders", folders, looked)
    total = db.execute("SELECT count(*) FROM files").fetchone()[0]
    limit = watched if total > SMALL * watched else total
    files = []
    for start, end in _PLACES:
        asked = "SELECT path, signature FROM files WHERE path >= ? AND path < ? "
        asked += "ORDER BY path DESC LIMIT ?"
        files += db.execute(asked, (start, end, limit)).fetchall()
    _put(db, "files", files, looked if len(files) == total else -looked)


def _signatures(
    base: str, paths: Sequence[str], look: Callable[[str], os.stat_result]
) -> list[int]:
    found = []
    for path in paths:
        try:
            status = look(base + path)
        except (OSError, ValueError):
            found.append(UNTRUSTED)
        else:
            # `signature`, written out: a call more for each of thousands of files is felt.
            times = (status.st_mtime_ns, status.st_ctime_ns)
            found.append(hash((*times, status.st_size, status.st_ino)) or 1)
    return found


def _put(db: sqlite3.Connection, kind: str, rows: list[tuple[str, int]], looked: int) -> None:
    paths = "\0".join(path for path, _ in rows)
    packed = array("q", [kept for _, kept in rows]).tobytes()
    db.execute("REPLACE INTO watch VALUES (?, ?, ?, ?)", (kind, paths, packed, looked))
