"""git's own lock on the index, held from before a branch moves until the new index is in place.

A person's `git commit` that reads the new branch and the old index would delete our files: while
the lock is held none begins, and the new index, made before that, is one rename away.
"""

import contextlib
import os
import random
import shutil
import time
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType

from calmkb.errors import StoreError
from calmkb.store.commits.changes import PathChange
from calmkb.store.git.filters import unfiltered
from calmkb.store.git.repository import Repository
from calmkb.system.files import disk_told

WAIT_SECONDS = 5.0
"""How long a person's git may keep the index: a commit takes far less, an open editor longer."""
_MARK = b"calmkb "
_DURABLE = ["core.fsync=committed,index"]


class LockBusyError(StoreError):
    """Another process holds a lock of git's, or left it; nothing was written."""


class IndexLock:
    """Holds `index.lock` between `with` and its end; for the holder of the write lock alone.

    Raises LockBusyError where somebody else keeps it, StoreError where the disk refuses.
    """

    def __init__(self, repository: Repository, *, seconds: float = WAIT_SECONDS) -> None:
        self.repository, self._index = repository, repository.git_dir / "index"
        self._lock, self._seconds = lock_path(repository), seconds
        self._folder = repository.git_dir / "calmkb"
        self.new = self._folder / f"staged-{os.getpid()}-{time.time_ns()}"
        self._state: object = None
        for left in self._folder.glob("staged-*"):
            with contextlib.suppress(OSError):
                left.unlink()

    def __enter__(self) -> "IndexLock":
        drop_own_lock(self._lock)
        deadline = time.monotonic() + self._seconds
        attempt = 0
        while not self._acquired():
            if time.monotonic() > deadline:
                raise LockBusyError(
                    f"{described(self._lock)}; nothing was written. Finish or end that git, "
                    f"or if none runs delete {self._lock}, then try again"
                )
            pause(attempt)
            attempt += 1
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        for path in (self.new, self._lock):
            with contextlib.suppress(OSError):
                path.unlink(missing_ok=True)

    def copy(self) -> None:
        """Begin `new`, the index that will be put in place, as the one in use is."""
        with disk_told(f"write {self.new}"):
            try:
                os.link(self._index, self.new)  # git replaces the name and never the content
            except FileNotFoundError:
                pass  # before the first `git add`
            except OSError:  # a disk without hard links
                shutil.copyfile(self._index, self.new)

    def prepare(self, changes: Iterable[PathChange]) -> None:
        """Make the index with `changes` in it beside the one in use, if that is not done yet.

        To be done before the lock is taken, and again when it is held.
        """
        before, found = self._state, self._index.stat() if self._index.exists() else None
        self._state = found and (found.st_ino, found.st_size, found.st_mtime_ns)
        if before == self._state and self.new.exists():
            return
        self.new.unlink(missing_ok=True)
        self.copy()
        lines = b"".join(index_line(change) for change in changes)
        # Git looks through filters at files that changed as its index was written.
        git = unfiltered(self.repository)(c=_DURABLE)
        git.update_index("-z", "--index-info", istream=lines, env=self.env)

    @property
    def env(self) -> dict[str, str]:
        """What has git read and write the new index in place of the work tree's."""
        return {"GIT_INDEX_FILE": str(self.new)}

    def publish(self) -> None:
        """Put the prepared index in place."""
        with disk_told(f"write {self._index}"):
            self.new.replace(self._index)

    def _acquired(self) -> bool:
        """Make the lock with our name in it at once: one that a kill left empty would stay."""
        named = self.new.with_suffix(".lock")
        try:
            named.write_bytes(b"%b%d\n" % (_MARK, os.getpid()))
            try:
                os.link(named, self._lock)
            except PermissionError:  # a disk without hard links
                with self._lock.open("xb") as file:
                    file.write(named.read_bytes())
            finally:
                named.unlink()
        except FileExistsError:
            return False
        except OSError as error:
            raise StoreError(f"cannot write {self._lock}: {error.strerror or error}") from error
        return True


def lock_path(repository: Repository) -> Path:
    """Return where git locks the index of this work tree."""
    return repository.git_dir / "index.lock"


def locks_of(repository: Repository) -> list[Path]:
    """Return the locks of git's that are there now: of the index, of HEAD and of branches."""
    folders = dict.fromkeys((repository.git_dir, repository.common_dir))
    names = ("index.lock", "HEAD.lock", "packed-refs.lock")
    found = [folder / name for folder in folders for name in names if (folder / name).exists()]
    return [
        *found,
        *(lock for folder in folders for lock in sorted((folder / "refs").rglob("*.lock"))),
    ]


def drop_own_lock(lock: Path) -> None:
    """Remove the lock of a calmkb that was killed; the caller holds the write lock."""
    with contextlib.suppress(OSError):
        if lock.read_bytes()[: len(_MARK)] == _MARK:
            lock.unlink()


def described(lock: Path) -> str:
    """Return a sentence on a lock: its path, its age, and the process that has it open."""
    try:
        age = f"{max(0, time.time() - lock.stat().st_mtime):,.0f} s old"
    except OSError:
        age = "gone by now"
    return f"git's lock {lock} is {age} and held by {holder_of(lock) or 'no process that is seen'}"


def index_line(change: PathChange) -> bytes:
    """Return a change as `git update-index --index-info` reads it."""
    blob = change.before.partition(" ")[2]
    entry = change.after or "0 " + "0" * len(blob or "0" * 40)
    return f"{entry}\t{change.path}\0".encode(errors="surrogateescape")


def holder_of(lock: Path) -> str:
    """Return the process that has `lock` open, where the system tells."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if any(os.path.realpath(fd) == str(lock) for fd in (folder / "fd").iterdir()):
                name = (folder / "comm").read_text().strip()
                return f"{name} (process {folder.name})"
        except OSError:
            continue
    return ""


def pause(attempt: int) -> None:
    """Wait a little, longer each time and never twice the same, so that rivals part."""
    time.sleep(random.uniform(0.5, 1) * min(0.01 * 2**attempt, 0.25))  # noqa: S311 - no secret
