"""Embeddings kept by content: a text is embedded once, whatever record holds it."""

import array
import contextlib
import hashlib
import sqlite3
from collections.abc import Callable, Sequence

Embed = Callable[[Sequence[str]], list[list[float]]]


def cached(place: str | None, texts: Sequence[str], embed: Embed) -> list[list[float]]:
    """Return a vector for each text, made by `embed` only where `place` has none.

    A cache that cannot be read or written costs the making anew, and no more; None keeps nothing.
    """
    keys = [hashlib.sha256(text.encode(errors="replace")).digest() for text in texts]
    known: dict[bytes, list[float]] = {}
    with contextlib.suppress(sqlite3.Error):
        known = _read(place or ":memory:", keys)
    missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
    if missing:
        made = dict(zip(missing, embed(list(missing.values())), strict=True))
        known |= made
        with contextlib.suppress(sqlite3.Error):
            _write(place or ":memory:", made)
    return [known[key] for key in keys]


def _open(place: str) -> sqlite3.Connection:
    db = sqlite3.connect(place, timeout=5)
    db.execute("CREATE TABLE IF NOT EXISTS minilm (key BLOB PRIMARY KEY, vector BLOB)")
    return db


def _read(place: str, keys: Sequence[bytes]) -> dict[bytes, list[float]]:
    with contextlib.closing(_open(place)) as db:
        asked = "SELECT vector FROM minilm WHERE key = ?"
        rows = {key: db.execute(asked, (key,)).fetchone() for key in keys}
    return {key: _numbers(row[0]) for key, row in rows.items() if row}


def _write(place: str, made: dict[bytes, list[float]]) -> None:
    with contextlib.closing(_open(place)) as db, db:
        rows = [(key, array.array("f", vector).tobytes()) for key, vector in made.items()]
        db.executemany("INSERT OR REPLACE INTO minilm VALUES (?, ?)", rows)


def _numbers(blob: bytes) -> list[float]:
    numbers = array.array("f")
    numbers.frombytes(blob)
    return numbers.tolist()
