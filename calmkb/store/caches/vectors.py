"""Embeddings kept by model and content: a text is embedded once, whatever record holds it."""

import array
import contextlib
import hashlib
import sqlite3
from collections.abc import Callable, Sequence

from calmkb.system.cache_file import open_cache

MODEL = "minilm-int8"
"""The name that vectors are kept by. Another model file takes another: vectors never mix."""
Embed = Callable[[Sequence[str]], list[list[float]]]
_VERSION = 1
_TABLE = """CREATE TABLE vectors
    (model TEXT, key BLOB, vector BLOB, PRIMARY KEY (model, key)) WITHOUT ROWID"""


def cached(
    place: str | None, texts: Sequence[str], embed: Embed, *, model: str
) -> list[list[float]]:
    """Return a vector for each text, made by `embed` only where `place` has none of `model`.

    A cache that cannot be read or written costs only time; None keeps nothing.
    """
    keys = [hashlib.sha256(text.encode(errors="replace")).digest() for text in texts]
    known: dict[bytes, list[float]] = {}
    with contextlib.suppress(sqlite3.Error, OSError):
        known = _read(place or ":memory:", model, keys)
    missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
    if missing:
        made = dict(zip(missing, embed(list(missing.values())), strict=True))
        known |= made
        with contextlib.suppress(sqlite3.Error, OSError):
            _write(place or ":memory:", model, made)
    return [known[key] for key in keys]


def build(place: str, texts: Sequence[str], embed: Embed, *, model: str, most: int) -> int:
    """Make and keep the vectors of the first `most` texts that have none.

    Return how many texts, from the first on, then have one; 0 where nothing can be kept.
    """
    keys = [hashlib.sha256(text.encode(errors="replace")).digest() for text in texts]
    with contextlib.suppress(sqlite3.Error, OSError):
        known = _read(place, model, keys)
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        now = dict(list(missing.items())[:most])
        if now:
            _write(place, model, dict(zip(now, embed(list(now.values())), strict=True)))
        lacking = missing.keys() - now.keys()
        return next((place for place, key in enumerate(keys) if key in lacking), len(keys))
    return 0


def _read(place: str, model: str, keys: Sequence[bytes]) -> dict[bytes, list[float]]:
    with contextlib.closing(open_cache(place, _TABLE, _VERSION)) as db:
        asked = "SELECT vector FROM vectors WHERE model = ? AND key = ?"
        rows = {key: db.execute(asked, (model, key)).fetchone() for key in keys}
    return {key: array.array("f", row[0]).tolist() for key, row in rows.items() if row}


def _write(place: str, model: str, made: dict[bytes, list[float]]) -> None:
    with contextlib.closing(open_cache(place, _TABLE, _VERSION)) as db, db:
        db.execute("DELETE FROM vectors WHERE model < ?", (model,))  # of models that were before
        db.execute("DELETE FROM vectors WHERE model > ?", (model,))
        rows = [(model, key, array.array("f", v).tobytes()) for key, v in made.items()]
        db.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", rows)
