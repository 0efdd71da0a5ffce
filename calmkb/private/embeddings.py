"""The `.embedding` beside an entry: written as the reference does, checked when read.

The reference breaks on a bad file (another length, null, no sections): none is ever written, and
an existing one is skipped.
"""

import json
import math
from collections.abc import Sequence
from pathlib import Path

from calmkb.errors import RecordError
from calmkb.private.entries import PrivateEntry

DIMENSIONS = 384
_LIMIT = 1024 * 1024
_UNIT_SLACK = 0.01


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


def read_embedding(entry: Path) -> list[float] | None:
    """Return an entry's vector, or None where there is no valid one."""
    path = embedding_path(entry)
    try:
        if path.is_symlink() or path.stat().st_size > _LIMIT:
            return None
        fields = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    vector = fields.get("embedding") if isinstance(fields, dict) else None
    if not isinstance(vector, list) or not _is_unit_vector(vector):
        return None
    return [float(value) for value in vector]


def _is_unit_vector(vector: Sequence[object]) -> bool:
    numbers = [value for value in vector if type(value) in (int, float)]
    if len(vector) != DIMENSIONS or len(numbers) != DIMENSIONS:
        return False
    floats = [float(value) for value in numbers]  # type: ignore[arg-type]  # numbers, just now
    if not all(math.isfinite(value) for value in floats):
        return False
    return abs(math.sqrt(sum(value * value for value in floats)) - 1) < _UNIT_SLACK
