"""What a command began to write and did not acknowledge, so that its repetition is recognized.

A mark is a file whose name says all, locked while its process lives and removed once the write is
acknowledged. One that nobody holds was left by a kill: the same content within the hour gets
its id and time, so that the record has the same path and the same bytes, and exists once.
"""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from filelock import FileLock, Timeout

_WITHIN = 3_600
_TIME = "%Y%m%dT%H%M%S%fZ"


@dataclass(frozen=True, slots=True)
class Named:
    """The id and time of a record; `repeated` if a process that was killed gave them to it."""

    id: str
    at: datetime
    repeated: bool = False


@contextlib.contextmanager
def begun(folder: Path, key: str, fresh: Named, *, now: datetime) -> Iterator[Named]:
    """Mark in `folder` that a record with the digest `key` is being written; yield its name.

    That is `fresh`, or the one that a killed process gave to the same words. After an error the
    mark stays: whether the record was written is then not certain either.
    """
    found = _left(folder, key, now) or _marked(folder, key, fresh, now)
    if found is None:
        yield fresh
        return
    lock, path, named = found
    try:
        yield named
    except BaseException:
        lock.release()
        raise
    with contextlib.suppress(OSError):
        path.unlink()  # before the release: an unlocked mark means a kill
    lock.release()
    with contextlib.suppress(OSError):
        path.unlink(missing_ok=True)  # Windows removes no file that is open


def _left(folder: Path, key: str, now: datetime) -> tuple[FileLock, Path, Named] | None:
    """Return the locked mark of a killed process for `key`; remove those that are too old."""
    for path in sorted(folder.glob("*.mark")):
        named, started = _read(path)
        stale = named is None or abs(now.timestamp() - started) > _WITHIN
        if not stale and not path.name.startswith(f"{key}."):
            continue
        lock = _locked(path)
        if lock is None:
            continue
        if named and not stale and path.exists():
            return lock, path, named
        path.unlink(missing_ok=True)
        lock.release()
    return None


def _marked(
    folder: Path, key: str, fresh: Named, now: datetime
) -> tuple[FileLock, Path, Named] | None:
    """Return a new locked mark; None where the disk takes none: the write itself then says why."""
    at = fresh.at.astimezone(UTC).strftime(_TIME)
    path = folder / f"{key}.{int(now.timestamp())}.{at}.{fresh.id}.mark"
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
    lock = _locked(path)
    return (lock, path, fresh) if lock else None


def _locked(path: Path) -> FileLock | None:
    lock = FileLock(path)
    try:
        lock.acquire(timeout=0)
    except (OSError, Timeout):
        return None
    return lock


def _read(path: Path) -> tuple[Named | None, int]:
    """Return what a mark's name says, None for a name that is not ours."""
    try:
        _, started, at, identity, _ = path.name.split(".")
        moment = datetime.strptime(at, _TIME).replace(tzinfo=UTC)
        return Named(identity, moment, repeated=True), int(started)
    except ValueError:
        return None, 0
