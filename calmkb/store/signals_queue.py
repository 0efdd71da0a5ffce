"""The queue of hook inputs: one file each, as a shell put it there; taken in oldest first."""

import contextlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock, Timeout

PAYLOAD_LIMIT = 64 * 1024 * 1024
"""A larger input tells nothing that a smaller one does not, and is dropped unread."""
_STALE = 3600


@dataclass(frozen=True, slots=True)
class Payload:
    """One input: the event, its bytes, and when it came (seconds since 1970)."""

    path: Path
    event: str
    raw: bytes
    at: float

    def done(self) -> None:
        """Forget it: what it says is kept, or says nothing."""
        with contextlib.suppress(OSError):
            self.path.unlink()


@contextmanager
def held(folder: Path) -> Iterator[bool]:
    """Give whether this process is the one to empty the queue: a second one would do it twice."""
    try:
        lock = FileLock(folder / ".lock", timeout=10)
        lock.acquire()
    except (Timeout, OSError, NotImplementedError):
        yield False
        return
    try:
        yield True
    finally:
        lock.release()


def waiting(folder: Path, now: float) -> Iterator[Payload]:
    """Yield what waits, oldest first, read one by one; clear away what a killed hook left."""
    named = []
    for path in folder.glob("*"):
        with contextlib.suppress(OSError):
            state = path.stat(follow_symlinks=False)
            if path.name.startswith("."):
                if path.name != ".lock" and state.st_mtime < now - _STALE:
                    path.unlink()
            elif path.suffix == ".json" and path.is_file() and not path.is_symlink():
                named.append((state.st_mtime_ns, path.name, state.st_size, path))
    for at, name, size, path in sorted(named):
        event = name.partition("-")[0]
        if size > PAYLOAD_LIMIT:
            with contextlib.suppress(OSError):
                path.unlink()
            continue
        with contextlib.suppress(OSError):
            yield Payload(path, event, path.read_bytes(), at / 1e9)
