"""A lock on a folder that one process holds at a time."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from calmkb.system.files import make_private_folder


@contextmanager
def exclusive(folder: Path, *, seconds: float = 0) -> Iterator[bool]:
    """Give whether this process alone works on a folder, which is made, within `seconds`.

    False, too, where the folder cannot be written to or its file system has no locks.
    """
    from filelock import FileLock, Timeout  # a start-up path asks whether there is work, first

    try:
        make_private_folder(folder)
        lock = FileLock(folder / ".lock", timeout=seconds, mode=0o600)
        lock.acquire()
    except (Timeout, OSError, NotImplementedError):
        yield False
        return
    try:
        yield True
    finally:
        lock.release()
