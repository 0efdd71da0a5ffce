"""The files that the last export changed, as they were before: kept beside the index.

An undo puts back what has not been changed since, and only that.
"""

import base64
import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from calmkb.errors import StoreError
from calmkb.store.files import write_atomically

_LIMIT = 16 * 1024 * 1024


def keep_before(place: Path, changes: Mapping[Path, tuple[bytes | None, bytes | None]]) -> None:
    """Keep (before, after) of each file, None for no file; what was kept last is forgotten."""
    rows = [
        {"path": str(path), "before": _coded(before), "after": _digest(after)}
        for path, (before, after) in sorted(changes.items())
    ]
    if sum(len(str(row["before"])) for row in rows) > _LIMIT:
        place.unlink(missing_ok=True)
        return
    write_atomically(place, json.dumps({"version": 1, "files": rows}).encode(), mode=0o600)


def restore(place: Path) -> list[Path]:
    """Put the files back as they were before the last export, and return them.

    Raises StoreError where there is nothing to undo, or a file was changed since; then none is.
    """
    try:
        rows = json.loads(place.read_text(encoding="utf-8"))["files"]
        kept = {Path(row["path"]): (_decoded(row["before"]), str(row["after"])) for row in rows}
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        raise StoreError("there is no export to undo") from None
    for path, (_, after) in kept.items():
        if _digest(_bytes(path)) != after:
            raise StoreError(f"{path} was changed since the export; undo it by hand")
    for path, (before, _) in kept.items():
        if before is None:
            path.unlink(missing_ok=True)
        else:
            write_atomically(path, before)
    place.unlink(missing_ok=True)
    return list(kept)


def _bytes(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StoreError(f"cannot read {path}: {error.strerror}") from error


def _digest(data: bytes | None) -> str:
    return "" if data is None else hashlib.sha256(data).hexdigest()


def _coded(data: bytes | None) -> str | None:
    return None if data is None else base64.b64encode(data).decode()


def _decoded(text: Any) -> bytes | None:
    return None if text is None else base64.b64decode(text, validate=True)
