"""Files written whole or not at all."""

import contextlib
import json
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from calmkb.errors import StoreError
from calmkb.system.safe_paths import check_place


@contextlib.contextmanager
def disk_told(what: str) -> Iterator[None]:
    """Raise StoreError where the disk refuses: "cannot write PATH: no space left"."""
    try:
        yield
    except OSError as error:
        raise StoreError(f"cannot {what}: {error.strerror or error}") from error


def write_atomically(
    path: Path,
    data: bytes,
    *,
    mode: int = 0o644,
    durable: bool = True,
    by_way_of: Path | None = None,
    inside: Path | None = None,
) -> None:
    """Put `data` at `path` through a neighbour file and a rename; an existing file's mode stays.

    Where `mode` lets nobody else in, neither does the file, nor a folder that is made for it.
    With `inside` the path must be below that folder with no link on the way, before anything is
    made and again before the rename. `by_way_of` is a folder for the file before its rename, if on
    the same disk: a killed process leaves its litter there. All is on disk when this returns,
    unless `durable` is off. StoreError names the path where the disk refuses; nothing has changed.
    """
    if inside:
        check_place(path, inside)
    with disk_told(f"write {path}"):
        private = not mode & 0o077
        if path.exists():
            mode = path.stat().st_mode & (mode if private else 0o777)
        if private:
            make_private_folder(path.parent)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
        folder = path.parent
        if by_way_of and by_way_of.is_dir() and by_way_of.stat().st_dev == folder.stat().st_dev:
            folder = by_way_of
        with _neighbour(path, folder) as (handle, beside):
            _fill(handle, data, durable=durable)
            beside.chmod(mode)
            if inside:
                check_place(path, inside)
            beside.replace(path)
            if durable:
                sync_folder(path.parent)


@contextlib.contextmanager
def _neighbour(path: Path, folder: Path) -> Iterator[tuple[int, Path]]:
    """Give a new file in `folder` that is to become `path`; where that fails, it goes."""
    import tempfile  # six milliseconds that a reader need not pay

    handle, name = tempfile.mkstemp(prefix=f".{path.name[:40]}.", dir=folder)
    try:
        yield handle, Path(name)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise


def _fill(handle: int, data: bytes, *, durable: bool) -> None:
    with os.fdopen(handle, "wb") as file:
        file.write(data)
        file.flush()
        if durable:
            os.fsync(file.fileno())


def make_private_folder(folder: Path) -> None:
    """Make `folder`, and those above it that are missing, for its owner alone, whatever the umask.

    Raises OSError where the disk refuses.
    """
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    for one in reversed(missing):
        one.mkdir(mode=0o700, exist_ok=True)
    if not missing and not folder.is_dir():
        raise NotADirectoryError(20, "Not a directory", str(folder))


def sync_folder(folder: Path) -> None:
    """Put the names in `folder`, or what a file holds, on disk: a power cut forgets a rename.

    Raises OSError where the disk refuses. Windows has no such call and keeps names in its log.
    """
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def read_bytes(path: Path, *, limit: int) -> bytes:
    """Return the content of a plain file; raise StoreError on anything else or above `limit`."""
    with disk_told(f"read {path}"):
        if not stat.S_ISREG((status := path.lstat()).st_mode):
            raise StoreError(f"{path} is not a plain file")
        size = min(status.st_size, limit)  # a buffer of the limit takes as long as all else
        with path.open("rb") as file:
            data = file.read(size + 1)
            data += file.read(limit) if len(data) > size else b""
    if len(data) > limit:
        raise StoreError(f"{path} is larger than {limit:,} bytes")
    return data


def append_lines(path: Path, data: bytes, *, durable: bool = True, alone: bool = False) -> None:
    """Append whole lines in one write, so that two processes never mix theirs.

    The file is its owner's alone. A line that a full disk cut off is ended first. They are on disk
    when this returns, unless `durable` is off. Raises StoreError where the disk refuses; where the
    caller is `alone`, by a lock, the file is then as it was.
    """
    flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
    with disk_told(f"write {path}"):
        make_private_folder(path.parent)
        fresh = not path.exists()
        handle = os.open(path, flags, 0o600)
        try:
            _append(handle, data, durable=durable, alone=alone)
        finally:
            os.close(handle)
        if durable and fresh:
            sync_folder(path.parent)


def _append(handle: int, data: bytes, *, durable: bool, alone: bool) -> None:
    if size := os.lseek(handle, 0, os.SEEK_END):
        os.lseek(handle, size - 1, os.SEEK_SET)
        data = data if os.read(handle, 1) == b"\n" else b"\n" + data
    try:
        if os.write(handle, data) < len(data):
            raise OSError("the disk is full")
        if durable:
            os.fsync(handle)
    except OSError:
        if alone:
            os.ftruncate(handle, size)
        raise


def read_json(path: Path) -> Any:
    """Return the JSON in a file, or None where there is none or it cannot be read."""
    try:
        return json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
