"""Turns in passages short enough to have one meaning each, and the vectors of them.

Vectors are kept by the content of their passage, in a file of records: a rebuilt index finds them
again, and what is the same in two sessions is made once.
"""

import hashlib
import os
import re
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from calmkb.model.sessions.archive import KeptTurn
from calmkb.store.caches.vectors import MODEL
from calmkb.wings.archive.turns.words import is_said

NAME = f"vectors-{MODEL}.bin"
WIDTH = 384
_LONG = 600
_LONGEST = 1_000
_MOST = 16_000
_BREAK = re.compile(r"\n\s*\n|\n(?=[-*#\d|])")
_RECORD = 8 + WIDTH


def passages_of(turn: KeptTurn) -> Iterator[str]:
    """Yield what somebody said in pieces of about 600 characters, cut between paragraphs."""
    if not is_said(turn) or turn.side:
        return
    piece = ""
    for part in _BREAK.split(turn.text[:_MOST]):
        if piece and len(piece) + len(part) > _LONG:
            yield piece[:_LONGEST]
            piece = ""
        piece = f"{piece}\n{part}" if piece else part
    if piece.strip():
        yield piece[:_LONGEST]


def key_of(passage: str) -> int:
    """Return the number that a passage's vector is kept by."""
    digest = hashlib.blake2b(passage.encode(errors="replace"), digest_size=8).digest()
    return int.from_bytes(digest, "little", signed=True)


def add_vectors(path: Path, keys: Sequence[int], vectors: Sequence[Sequence[float]]) -> None:
    """Append vectors of length 1, in a byte a number; a torn end is cut first."""
    import numpy as np

    numbers = np.clip(np.rint(np.asarray(vectors, dtype=np.float32) * 127), -127, 127)
    rows = b"".join(
        key.to_bytes(8, "little", signed=True) + row.tobytes()
        for key, row in zip(keys, numbers.astype(np.int8), strict=True)
    )
    handle = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
    with os.fdopen(handle, "r+b") as file:
        file.truncate(file.seek(0, 2) // _RECORD * _RECORD)
        file.seek(0, 2)
        file.write(rows)


def known_keys(path: Path) -> set[int]:
    """Return the keys of the vectors that are there."""
    return set() if not path.exists() else set(_records(path)["key"].tolist())


def nearest(path: Path, vector: Sequence[float], most: int) -> dict[int, float]:
    """Return the keys nearest in meaning, each with its level from 0 (the last of them) to 1."""
    import numpy as np

    records = _records(path)
    if not len(records):
        return {}
    levels = records["vector"].astype(np.float32) @ np.asarray(vector, dtype=np.float32)
    best = np.argpartition(-levels, min(most, len(levels)) - 1)[:most]
    low, high = float(levels[best].min()), float(levels[best].max())
    return {
        int(records["key"][place]): (float(levels[place]) - low) / ((high - low) or 1.0)
        for place in best
    }


def turns_of_keys(db: sqlite3.Connection, levels: dict[int, float]) -> dict[int, float]:
    """Return the rows of the turns that hold these passages, with the best level of each."""
    found: dict[int, float] = {}
    asked = "SELECT turn FROM passages WHERE key = ?"
    for key, level in levels.items():
        for (row,) in db.execute(asked, (key,)):
            found[row] = max(level, found.get(row, 0.0))
    return found


def _records(path: Path) -> Any:
    import numpy as np

    kind = np.dtype([("key", "<i8"), ("vector", "i1", (WIDTH,))])
    whole = path.stat().st_size // _RECORD
    return np.fromfile(path, dtype=kind, count=whole)
