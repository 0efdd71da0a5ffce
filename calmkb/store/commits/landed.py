"""Whether an import landed that a killed process, or its git, may have finished."""

import contextlib
import re
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from calmkb.errors import StoreError
from calmkb.store.commits.changes import Commit
from calmkb.store.commits.index_lock import IndexLock
from calmkb.store.commits.intent import Intent
from calmkb.store.commits.spool import Record
from calmkb.store.commits.worktree import is_held, tree_entries
from calmkb.store.git.repository import Repository
from calmkb.system.programs import is_running

_LOCK = re.compile(r"Unable to create '([^'\n]+\.lock)': File exists")
_STILL = 0.2
"""Seconds after which a lock that has not changed is nobody's: a living git's lasts far less."""


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
    """Remove the locks that git left where it was killed as it moved the branch.

    They are empty or name our commit, and nobody changes them. The caller holds the write lock.
    """
    if is_running(intent.mover):
        return
    for lock in (repository.common_dir / f"{intent.branch}.lock", repository.git_dir / "HEAD.lock"):
        with contextlib.suppress(OSError):
            named, known = lock.read_bytes().strip(), lock.stat()
            time.sleep(_STILL)
            if named in (b"", intent.tip.encode()) and lock.stat() == known:
                lock.unlink()


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
