"""The `.embedding` beside an entry: written as the reference does, checked when read.

The reference breaks on a bad file (another length, null, no sections): none is ever written, and a
search skips what lies there.
"""

import json
import math
import re
import stat
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal

from calmkb.errors import RecordError
from calmkb.wings.private.entries import PrivateEntry

DIMENSIONS = 384
_LIMIT = 256 * 1024 * 1024
"""Bytes of a file: it holds the entry's text once more, its line ends and quotes escaped."""
_HEAD = 64 * 1024
_FIRST_FIELD = re.compile(rb'\s*\{\s*"embedding"\s*:\s*(\[[^][{}"]*\])\s*,')
"""The vector as both programs write it, first: the text behind it is not read to be skipped."""
_LEAST_FOREIGN = 32
_UNIT_SLACK = 0.01
_KEPT = 20_000  # vectors kept in memory, 3 KB each
State = Literal["ours", "foreign", "broken", "missing"]
"""Foreign: the vector of another model, of another length. It is left alone unless asked."""


@dataclass(frozen=True, slots=True)
class Embedding:
    """What lies beside an entry, and its vector if it is one of this model."""

    state: State
    vector: Sequence[float] = ()


def embedding_path(entry: Path) -> Path:
    """Return the place of an entry's embedding."""
    return entry.with_suffix(".embedding")


def render_embedding(entry: PrivateEntry, vector: Sequence[float]) -> str:
    """Return the file; RecordError unless `vector` is 384 finite numbers of length 1."""
    if not _is_unit_vector(vector):
        raise RecordError(f"the embedding of {entry.path} is not {DIMENSIONS} numbers of length 1")
    fields = {
        "embedding": [float(value) for value in vector],
        "text": entry.body,
        "sections": list(entry.sections),
        "timestamp": entry.timestamp,
        "path": str(entry.path.absolute()),
    }
    return json.dumps(fields, indent=2, ensure_ascii=False)


def read_embedding(entry: Path) -> Embedding:
    """Return what lies beside an entry; nothing there is trusted."""
    path = embedding_path(entry)
    try:
        state = path.lstat()
    except FileNotFoundError:
        return Embedding("missing")
    except OSError:
        return Embedding("broken")
    if not stat.S_ISREG(state.st_mode) or state.st_size > _LIMIT:
        return Embedding("broken")
    return _read(path, state.st_mtime_ns, state.st_size)


@lru_cache(maxsize=_KEPT)
def _read(path: Path, _modified: int, _size: int) -> Embedding:
    """Read a file once for each state of it: a server is asked again and again."""
    try:
        vector = _read_vector(path)
    except (OSError, ValueError, RecursionError):
        return Embedding("broken")
    if not isinstance(vector, list) or not set(map(type, vector)) <= {int, float}:
        return Embedding("broken")
    if _is_unit_vector(vector):
        return Embedding("ours", array("d", vector))
    foreign = len(vector) != DIMENSIONS and len(vector) >= _LEAST_FOREIGN
    return Embedding("foreign" if foreign else "broken")


def _read_vector(path: Path) -> object:
    with path.open("rb") as file:
        head = file.read(_HEAD)
        if found := _FIRST_FIELD.match(head):
            return json.loads(found[1])
        fields = json.loads(head + file.read())
    return fields.get("embedding") if isinstance(fields, dict) else None


def _is_unit_vector(vector: Sequence[float]) -> bool:
    if len(vector) != DIMENSIONS:
        return False
    try:
        return abs(math.hypot(*vector) - 1) < _UNIT_SLACK
    except (TypeError, OverflowError):
        return False
