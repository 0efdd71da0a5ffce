"""Which processes are alive: each one that owns runs holds a lock that ends with it."""

import contextlib
from collections.abc import Sequence
from pathlib import Path

from filelock import FileLock, Timeout
from sqlalchemy import Connection

from calmkb.errors import StoreError


class FileLiveness:
    """A locked file for each living process, beside the SQLite file."""

    def __init__(self, database: Path, owner: str) -> None:
        self._folder = Path(f"{database}.owners")
        self._file = self._folder / f"{owner}.lock"
        # Not bound to a thread: the loop may close the journal in another one.
        self._lock = FileLock(self._file, thread_local=False, mode=0o600)

    async def begin(self) -> None:
        """Lock our file."""
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._lock.acquire(timeout=5)
        except (OSError, Timeout) as error:
            raise StoreError(f"{self._file} cannot be locked: {error}") from error

    def dead(self, owners: Sequence[str], connection: Connection) -> Sequence[str]:
        """Try each lock; one that another process is trying at this moment is left to it."""
        return [owner for owner in owners if self._is_free(owner)]

    async def close(self) -> None:
        """Remove our file while it is still locked, then release it."""
        if self._lock.is_locked:
            # Where an open file cannot be removed it is found free, and removed, by the next one.
            with contextlib.suppress(OSError):
                self._file.unlink(missing_ok=True)
            self._lock.release()

    def _is_free(self, owner: str) -> bool:
        lock_file = self._folder / f"{Path(owner).name}.lock"
        lock = FileLock(lock_file, thread_local=False, mode=0o600)
        try:
            lock.acquire(timeout=0)
        except Timeout:
            return False
        lock.release()
        with contextlib.suppress(OSError):
            lock_file.unlink(missing_ok=True)
        return True
