"""What a word is worth in each turn: a byte a row, in chunks, so that all are read at once."""

import sqlite3
from collections.abc import Iterable, Sequence

_CHUNK = 4_096


def add_levels(db: sqlite3.Connection, first: int, levels: Sequence[int]) -> None:
    """Store the levels of the rows from `first` on."""
    done = 0
    while done < len(levels):
        chunk, start = divmod(first + done, _CHUNK)
        part = bytes(levels[done : done + _CHUNK - start])
        known = db.execute("SELECT levels FROM levels WHERE chunk = ?", (chunk,)).fetchone()
        before = (known[0] if known else b"")[:start].ljust(start, b"\0")
        db.execute("REPLACE INTO levels VALUES (?, ?)", (chunk, before + part))
        done += len(part)


def read_levels(db: sqlite3.Connection) -> bytes:
    """Return the levels of all rows; a row is its place."""
    chunks = db.execute("SELECT levels FROM levels ORDER BY chunk")
    return b"".join(levels for (levels,) in chunks)


def clear_levels(db: sqlite3.Connection, rows: Iterable[int]) -> None:
    """Make words worth nothing in turns that are gone: the full text still has them."""
    chunks: dict[int, list[int]] = {}
    for row in rows:
        chunks.setdefault(row // _CHUNK, []).append(row % _CHUNK)
    for chunk, places in chunks.items():
        (known,) = db.execute("SELECT levels FROM levels WHERE chunk = ?", (chunk,)).fetchone()
        levels = bytearray(known)
        for place in places:
            levels[place] = 0
        db.execute("UPDATE levels SET levels = ? WHERE chunk = ?", (bytes(levels), chunk))
