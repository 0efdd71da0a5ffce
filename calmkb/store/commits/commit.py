"""Commits made beside the user: their index, staged work, hooks and branch stay as they are.

A change is put on disk first; the holder of the lock imports all that waits in one go, one commit
each, and tells each writer its commit. The branch moves only if nobody else has moved it. A process
that is killed leaves its change wholly in history or wholly out of it, and the next call finishes.
"""

import contextlib
import random
import time
from dataclasses import replace

from filelock import FileLock, Timeout

from calmkb.errors import StoreError
from calmkb.store.commits.changes import Change, Commit
from calmkb.store.commits.group_commit import GroupCommit
from calmkb.store.commits.index_lock import drop_own_lock, lock_path
from calmkb.store.commits.landed import drop_dead_locks, intent_path
from calmkb.store.commits.recent import has_moved
from calmkb.store.commits.spool import Outcome, Spool
from calmkb.store.commits.worktree import check_paths
from calmkb.store.git.repository import Repository
from calmkb.system.files import disk_told

__all__ = ["Change", "Commit", "commit", "land_waiting", "recover", "write_lock"]

_LOCK_SECONDS = 60
_FIRST_LOOK, _LATER_LOOKS = 0.002, 0.02  # seconds; sixteen who look all the time starve the one


def commit(repository: Repository, change: Change) -> Commit:
    """Commit `change` on the checked-out branch and bring its files into the work tree.

    Raises StoreError on a detached HEAD, on a path through a link, on a file with uncommitted
    edits, and where git or the disk refuses; then the branch has not moved.
    """
    branch = repository.branch()
    check_paths(repository, change)
    spool = _spool(repository)
    ticket = spool.put(branch, repository.identity(), change)
    try:
        outcome = _wait(repository, spool, ticket)
    except BaseException:
        spool.withdraw(ticket)
        raise
    if isinstance(outcome, StoreError):
        raise outcome
    return outcome


def recover(repository: Repository) -> str:
    """Finish what a killed process committed but did not bring into work tree and index, and put
    back what a commit beside ours lost; return a message on that, or "".

    One look at three files where there is nothing to do. What cannot be done now (another process
    is writing, a person holds the index) is left to the next call; nothing is raised.
    """
    drop_dead_locks(repository)
    lock = lock_path(repository)
    if not (intent_path(repository).exists() or has_moved(repository) or lock.exists()):
        return ""
    with (
        contextlib.suppress(StoreError, OSError, Timeout),
        write_lock(repository).acquire(timeout=0),
    ):
        drop_own_lock(lock)  # its process was killed: a person's git would wait for nobody
        holder = GroupCommit(repository, _spool(repository))
        holder.finish_intent()
        if has_moved(repository):
            holder.serve()
        return holder.notice
    return ""


def land_waiting(repository: Repository) -> None:
    """Commit what killed processes left, for a caller who reads in order to decide what to write.

    A command that is run again after a kill then finds what the first one began. Listing one folder
    where nothing waits; the next write reports what cannot be committed now.
    """
    if not _waits(repository):
        return
    with (
        contextlib.suppress(StoreError, OSError, Timeout),
        write_lock(repository, timeout=_LOCK_SECONDS),
    ):
        GroupCommit(repository, _spool(repository)).land()


def _waits(repository: Repository) -> bool:
    try:
        return any(
            path.name == "intent" or path.suffix in {".record", ".taken"}
            for path in repository.spool.iterdir()
        )
    except OSError:
        return False


def _spool(repository: Repository) -> Spool:
    folder = repository.spool
    with disk_told(f"write {folder}"):
        folder.mkdir(parents=True, exist_ok=True)
    return Spool(folder)


def write_lock(repository: Repository, *, timeout: float = -1) -> FileLock:
    """Return the lock that all our writers take; `timeout` in seconds, -1 waits for ever."""
    # The file stays: unlinking a locked file would let two processes in. The lock itself ends with
    # its process, however that dies.
    return FileLock(repository.git_dir / "calmkb" / "write.lock", timeout=timeout)


def _wait(repository: Repository, spool: Spool, ticket: str) -> Outcome:
    """Return the outcome of `ticket`, by another's hand or, once the lock is free, our own."""
    lock = write_lock(repository)
    deadline = time.monotonic() + _LOCK_SECONDS
    delay = _FIRST_LOOK
    while time.monotonic() < deadline:
        if outcome := spool.fetch(ticket):
            return outcome
        if _try_lock(lock):
            try:
                return _serve(repository, spool, ticket)
            finally:
                lock.release()
        time.sleep(random.uniform(0.5, 1.5) * delay)  # noqa: S311 - no secret
        delay = min(delay * 1.5, _LATER_LOOKS)
    if spool.withdraw(ticket):
        raise StoreError(
            f"another process has held {lock.lock_file} for {_LOCK_SECONDS} s; nothing was "
            "written. End that process, then try again"
        )
    raise StoreError(
        f"another process has been writing to {repository.top} for {_LOCK_SECONDS} s, this change "
        "included; see `git log` before you try again"
    )


def _try_lock(lock: FileLock) -> bool:
    with disk_told(f"lock {lock.lock_file}"), contextlib.suppress(Timeout):
        lock.acquire(blocking=False)
        return True
    return False


def _serve(repository: Repository, spool: Spool, ticket: str) -> Outcome:
    if outcome := spool.fetch(ticket):
        return outcome
    try:
        holder = GroupCommit(repository, spool, ticket)
        outcomes = holder.serve()
    except BaseException:
        spool.forget(ticket)
        raise
    if ticket not in outcomes:
        raise StoreError(
            f"the checked-out branch of {repository.top} changed during the write; nothing was "
            "written, try again"
        )
    outcome = outcomes[ticket]
    if holder.notice and isinstance(outcome, Commit):
        return replace(outcome, warning="; ".join(filter(None, (outcome.warning, holder.notice))))
    return outcome
