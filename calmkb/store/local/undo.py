"""The files that the last export changed, as they were before: kept in the state folder.

An undo puts back what has not been changed since, and only that.
"""

import base64
import contextlib
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from calmkb.errors import StoreError
from calmkb.system.files import write_atomically

_LIMIT = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class _Kept:
    """A file before an export, a digest of it after, and the folders that the export made."""

    before: bytes | None
    after: str
    mode: int
    made: tuple[Path, ...]


def keep_before(place: Path, changes: Mapping[Path, tuple[bytes | None, bytes | None]]) -> None:
    """Keep (before, after) of each file, None for no file; what was kept last is forgotten."""
    rows = [
        {"path": str(path), "before": _coded(before), "after": _digest(after),
         "mode": path.stat().st_mode & 0o777 if path.exists() else 0o644,
         "made": [str(folder) for folder in path.parents if not folder.exists()]}
        for path, (before, after) in sorted(changes.items())
    ]  # fmt: skip
    if sum(len(str(row["before"])) for row in rows) > _LIMIT:
        place.unlink(missing_ok=True)
        return
    write_atomically(place, json.dumps({"version": 1, "files": rows}).encode(), mode=0o600)


def restore(place: Path, *, force: bool = False) -> list[Path]:
    """Put the files back as they were before the last export, and return them.

    A file that is as it was before is left: an export may have stopped half-way. With `force` one
    that was changed since is copied to `.bak` and put back.
    Raises StoreError where there is nothing to undo, or a file was changed since; then none is.
    """
    try:
        kept = {Path(row["path"]): _read(row) for row in json.loads(place.read_bytes())["files"]}
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        raise StoreError("there is no export to undo") from None
    undone, changed = [], []
    for path, one in kept.items():
        now = _digest(_bytes(path))
        if path.is_symlink() or now not in (one.after, _digest(one.before)):
            if path.is_symlink() or not force:
                raise StoreError(
                    f"{path} was changed since the export; put the old file back all the same "
                    "with: calmkb export --undo --force, or take out by hand what calmkb wrote: "
                    "the lines from calmkb:begin to calmkb:end"
                )
            changed.append(path)
        if now != _digest(one.before):
            undone.append(path)
    for path in changed:
        _keep_beside(path)
    for path in undone:
        _put_back(path, kept[path])
    place.unlink(missing_ok=True)
    return undone


def _keep_beside(path: Path) -> None:
    """Copy a file that is about to be given up to `.bak`, as private as it is."""
    if (data := _bytes(path)) is not None:
        mode = path.stat().st_mode & 0o777
        write_atomically(path.with_name(path.name + ".bak"), data, mode=mode)


def _put_back(path: Path, one: _Kept) -> None:
    if one.before is not None:
        write_atomically(path, one.before, mode=one.mode)
        return
    path.unlink(missing_ok=True)
    with contextlib.suppress(OSError):  # something else is in it now
        for folder in one.made:
            folder.rmdir()


def _read(row: Mapping[str, Any]) -> _Kept:
    made = tuple(Path(folder) for folder in row.get("made", ()))
    return _Kept(_decoded(row["before"]), str(row["after"]), int(row.get("mode", 0o644)), made)


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
