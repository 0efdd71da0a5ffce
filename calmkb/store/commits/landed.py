"""Whether an import landed that a killed process, or its git, may have finished."""

import contextlib
import os
import re
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from calmkb.errors import StoreError
from calmkb.store.commits.changes import Commit
from calmkb.store.commits.index_lock import IndexLock, git_at_work, locks_of
from calmkb.store.commits.intent import Intent
from calmkb.store.commits.spool import Record
from calmkb.store.commits.worktree import is_held, tree_entries
from calmkb.store.git.repository import Repository
from calmkb.system.files import disk_told
from calmkb.system.programs import is_running

_LOCK = re.compile(r"Unable to create '([^'\n]+\.lock)': File exists")
_NOTE = "locking-refs-"
_STILL, _LATE = 0.2, 10
"""Seconds: unchanged for the first, a lock is no living git's; so long after, another's."""


class LostRaceError(StoreError):
    """Somebody else moved the branch while we imported, or holds `lock` to move it."""

    def __init__(self, message: str, lock: Path | None = None) -> None:
        super().__init__(message)
        self.lock = lock


def intent_path(repository: Repository) -> Path:
    """Return where an unfinished import is written down: in the spool, synced with its takings."""
    return repository.spool / "intent"


def has_landed(repository: Repository, intent: Intent) -> bool:
    """Return whether all commits of an intent are in the history of its branch."""
    if not intent.commits:
        return True
    tip = repository.tip(intent.branch)
    asked = ("rev-list", "-1", intent.tip, f"^{tip}")
    return tip == intent.tip or (
        # Empty: all of it is reachable. None: git does not know the commit; it never landed.
        tip not in (None, intent.base) and repository.git.ask(*asked) == ""
    )


def drop_ref_locks(repository: Repository, intent: Intent) -> None:
    """Remove the locks of a git that was killed as it moved the branch; under the write lock."""
    names = (f"{intent.branch}.lock", "packed-refs.lock")
    locks = (*(repository.common_dir / name for name in names), repository.git_dir / "HEAD.lock")
    for lock in () if is_running(intent.mover) else locks:
        with contextlib.suppress(OSError):
            named, known = lock.read_bytes().strip(), lock.stat()
            time.sleep(_STILL)
            late = abs(known.st_mtime - intent_path(repository).stat().st_mtime) > _LATE
            if not late and named in (b"", intent.tip.encode()) and lock.stat() == known:
                lock.unlink()


@contextlib.contextmanager
def locking_refs(git_dir: Path) -> Iterator[None]:
    """Note that git, started by this process, locks refs: `drop_dead_locks` takes it from there."""
    note = git_dir / "calmkb" / f"{_NOTE}{os.getpid()}"
    with disk_told(f"write {note}"):
        note.parent.mkdir(exist_ok=True)
        note.touch()
    try:
        yield
    finally:
        note.unlink(missing_ok=True)


def drop_dead_locks(repository: Repository) -> None:
    """Remove the locks on refs that were made since a process of ours began that was killed.

    Where a git is at work here, they may be its own, and are left to the next call.
    """
    for note in (repository.git_dir / "calmkb").glob(f"{_NOTE}*"):
        if not is_running(note.name.removeprefix(_NOTE)) and not git_at_work(repository):
            with contextlib.suppress(OSError):
                since = note.stat().st_mtime - 1
                for lock in locks_of(repository):
                    if lock.name != "index.lock" and lock.stat().st_mtime >= since:
                        lock.unlink()
                note.unlink()


def landed_records(
    repository: Repository, tip: str, records: Sequence[Record]
) -> Iterator[tuple[str, Commit]]:
    """Yield the ticket and the commit of each record that history, even rewritten, holds."""
    for record in records:
        files = record.change.files
        held = tree_entries(repository, tip, list(files))
        if all(is_held(repository, path, data, held.get(path, "")) for path, data in files.items()):
            git = repository.git(literal_pathspecs=True)
            if found := git.ask("log", "-1", "--format=%H", tip, "--", *files):
                yield record.ticket, Commit(found)


def lock_named(repository: Repository, stderr: str) -> Path | None:
    """Return git's lock that is in the way, if git's message names one."""
    found = _LOCK.search(stderr)
    return repository.git_dir / found[1] if found else None


def check_unmoved(lock: IndexLock, branch: str, tip: str | None) -> None:
    """Raise StoreError where HEAD is on another branch by now, or on none.

    Raises LostRaceError where the branch has moved, or somebody has written the index.
    """
    if lock.repository.attached_branch() != branch:
        raise StoreError(
            f"HEAD of {lock.repository.top} moved off {branch} during the write (a rebase or a "
            "checkout in progress?); finish it, then try again"
        )
    if lock.repository.tip(branch) != tip or lock.is_outdated():
        raise LostRaceError(f"{branch} has moved")
