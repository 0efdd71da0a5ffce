"""git's own lock on the index, held from before a branch moves until the new index is in place.

A person's `git commit` that reads the new branch and the old index would delete our files: while
the lock is held none begins, and the new index, made before that, is one rename away.
"""

import contextlib
import os
import random
import shutil
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from calmkb.errors import StoreError
from calmkb.store.commits.changes import PathChange
from calmkb.store.git.filters import unfiltered
from calmkb.store.git.repository import Repository
from calmkb.system.files import disk_told

WAIT_SECONDS = 5.0
"""How long a person's git may keep the index: a commit takes far less, an open editor longer."""
_MARK = b"calmkb "


class LockBusyError(StoreError):
    """Another process holds a lock of git's, or left it; nothing was written."""


class IndexLock:
    """Holds `index.lock` between `with` and its end; for the holder of the write lock alone.

    Raises LockBusyError where somebody else keeps it, StoreError where the disk refuses.
    """

    def __init__(self, repository: Repository) -> None:
        self.repository, self._index = repository, repository.git_dir / "index"
        self.path = lock_path(repository)
        self._folder = repository.git_dir / "calmkb"
        self.new = self._folder / f"staged-{os.getpid()}-{time.time_ns()}"
        self._state: object = None
        for left in self._folder.glob("staged-*"):
            with contextlib.suppress(OSError):
                left.unlink()

    def __enter__(self) -> "IndexLock":
        drop_own_lock(self.path)
        deadline = time.monotonic() + WAIT_SECONDS
        attempt = 0
        while not self.take():
            if time.monotonic() > deadline:
                raise busy(self.path)
            pause(attempt)
            attempt += 1
        return self

    def __exit__(self, *_: object) -> None:
        for path in (self.new, self.path):
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
        """Make the index with `changes` in it beside the one in use, before the lock is taken."""
        self._state = self._seen()
        self.copy()
        enter(self.repository, changes, env=self.env)

    def is_outdated(self) -> bool:
        """Return whether somebody has written the index in use since `prepare`."""
        return self._seen() != self._state

    def _seen(self) -> object:
        found = self._index.stat() if self._index.exists() else None
        return found and (found.st_ino, found.st_size, found.st_mtime_ns)

    @property
    def env(self) -> dict[str, str]:
        """What has git read and write the new index in place of the work tree's."""
        return {"GIT_INDEX_FILE": str(self.new)}

    def publish(self) -> None:
        """Put the prepared index in place."""
        with disk_told(f"write {self._index}"):
            self.new.replace(self._index)

    def take(self) -> bool:
        """Make the lock if it is free, our name in it at once: one left empty would stay."""
        named = self.new.with_suffix(".lock")
        try:
            named.write_bytes(b"%b%d\n" % (_MARK, os.getpid()))
            try:
                os.link(named, self.path)
            except PermissionError:  # a disk without hard links
                with self.path.open("xb") as file:
                    file.write(named.read_bytes())
            finally:
                named.unlink()
        except FileExistsError:
            return False
        except OSError as error:
            raise StoreError(f"cannot write {self.path}: {error.strerror or error}") from error
        return True


def busy(lock: Path) -> LockBusyError:
    """Return the error that names a lock of git's which is in the way."""
    return LockBusyError(
        f"{described(lock)}; nothing was written. Finish or end that git, or if none runs "
        f"delete {lock}, then try again"
    )


def enter(repository: Repository, changes: Iterable[PathChange], **options: Any) -> None:
    """Enter what commits hold in the index; raise StoreError where it is locked."""
    lines = b""
    for change in changes:
        blob = change.before.partition(" ")[2]
        entry = change.after or "0 " + "0" * len(blob or "0" * 40)
        lines += f"{entry}\t{change.path}\0".encode(errors="surrogateescape")
    if lines:
        # Git looks through filters at files that changed as its index was written.
        git = unfiltered(repository)(c=["core.fsync=committed,index"])
        git.update_index("-z", "--index-info", istream=lines, **options)


def lock_path(repository: Repository) -> Path:
    """Return where git locks the index of this work tree."""
    return repository.git_dir / "index.lock"


def locks_of(repository: Repository) -> list[Path]:
    """Return the locks of git's that are there now: of the index, settings, HEAD and branches."""
    folders = dict.fromkeys((repository.git_dir, repository.common_dir))
    names = ("index.lock", "HEAD.lock", "packed-refs.lock", "config.lock")
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


def holder_of(lock: Path) -> str:
    """Return the process that has `lock` open, where the system tells."""
    return _process(
        lambda _, at: any(os.path.realpath(fd) == str(lock) for fd in (at / "fd").iterdir())
    )


def git_at_work(repository: Repository) -> str:
    """Return a git that works in the repository; one may where the system shows no processes."""
    if not Path("/proc/self").exists():
        return "a git that this system does not show"
    tops = [os.path.realpath(place) for place in (repository.top, repository.common_dir)]
    return _process(
        lambda name, at: (
            name.startswith("git")
            and any(Path(os.path.realpath(at / "cwd")).is_relative_to(top) for top in tops)
        )
    )


def _process(is_it: Callable[[str, Path], bool]) -> str:
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            name = (folder / "comm").read_text().strip()
            if is_it(name, folder):
                return f"{name} (process {folder.name})"
    return ""


def pause(attempt: int) -> None:
    """Wait a little, longer each time and never twice the same, so that rivals part."""
    time.sleep(random.uniform(0.5, 1) * min(0.01 * 2**attempt, 0.08))  # noqa: S311 - no secret
