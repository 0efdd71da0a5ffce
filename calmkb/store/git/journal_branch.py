"""The journal's branch of a code repository, checked out inside its git directory.

There it is out of the way of `git status`, `git clean` and every pull request, and it is a work
tree like any other: whatever works with a repository works there.
"""

import contextlib
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from calmkb.config import CONFIG_NAME
from calmkb.errors import GitFailedError, StoreError
from calmkb.store.git.filters import unfiltered
from calmkb.store.git.refs import branch_in
from calmkb.store.git.repository import Repository, git_in
from calmkb.system.files import disk_told, write_atomically
from calmkb.system.git_files import common_dir
from calmkb.system.journal_place import (
    ADMIN,
    JOURNAL_BRANCH,
    JOURNAL_REF,
    SHARED_REF,
    WORK_TREE,
    is_checked_out,
    note_file,
)
from calmkb.system.paths import leads_elsewhere

_MAKING = "calmkb.making/journal"
"""As deep as the work tree itself, so that the way back to the repository is the same."""
_LOCK_SECONDS = 60
_WHY = "calmkb keeps the journal here"


def attach_journal(git_dir: Path) -> bool:
    """Check the journal's branch out where it is not; False where no branch holds a journal.

    `git_dir` is the shared one. A branch that only the remote has begins where the remote's is.
    Raises StoreError where git or the disk refuses.
    """
    place = git_dir / WORK_TREE
    if is_checked_out(place):
        return True
    if journal_tip(git_dir) is None:
        return False
    with _locked(git_dir):
        if not is_checked_out(place):
            git = git_in(git_dir)
            if git.ask("rev-parse", "-q", "--verify", JOURNAL_REF) is None:
                git.update_ref(JOURNAL_REF, SHARED_REF, "")
            if _is_left(git_dir):
                _restore(git_dir, place)
            else:
                _check_out(git_dir, place)
    return True


def _is_left(git_dir: Path) -> bool:
    """Return whether git still knows a work tree that is gone: of this repository, made whole."""
    admin = git_dir / ADMIN
    ours = common_dir(admin) == git_dir and not leads_elsewhere(admin)
    return ours and branch_in(admin) == JOURNAL_REF and not (git_dir / _MAKING).exists()


def journal_tip(git_dir: Path) -> str | None:
    """Return the commit of the journal's branch, here or as last heard of; None without a journal.

    A branch of the same name that is something else holds no settings of ours.
    """
    git = git_in(git_dir)
    for ref in (JOURNAL_REF, SHARED_REF):
        if git.ask("cat-file", "-e", f"{ref}:{CONFIG_NAME}") is not None:
            return git.ask("rev-parse", "-q", "--verify", f"{ref}^{{commit}}")
    return None


def note_place(git_dir: Path, home: Path, folder: str) -> None:
    """Note in the home which folder holds the journal of a repository."""
    write_atomically(note_file(git_dir, home), f"{git_dir}\n{folder}\n".encode(), mode=0o600)


def forget_place(git_dir: Path, home: Path) -> None:
    """Take the note back: the journal is on the branch, where there is one."""
    note_file(git_dir, home).unlink(missing_ok=True)


def fetch_journal(git_dir: Path) -> None:
    """Ask `origin` for a journal that somebody else began; a clone of one branch has none.

    A remote that cannot be reached is no fault: the next sync joins both.
    """
    from calmkb.store.git.remotes import fetch

    with contextlib.suppress(GitFailedError):
        fetch(git_in(git_dir), "origin", f"+{JOURNAL_REF}:{SHARED_REF}")


def _restore(git_dir: Path, place: Path) -> None:
    """Bring a work tree back that somebody deleted; records that waited for it are still there."""
    admin = git_dir / ADMIN
    with disk_told(f"make {place}"):
        place.mkdir(parents=True, exist_ok=True)
        git = unfiltered(Repository(place, admin))(git_dir=admin, work_tree=".")
        # What is there already may be a person's, and stays.
        git.ask("checkout-index", "-a", "-q")
        way = os.path.relpath(admin, place)
        write_atomically(place / ".git", f"gitdir: {way}\n".encode())


def _check_out(git_dir: Path, place: Path) -> None:
    """Make the work tree under another name and move it: a killed one is never taken for whole."""
    making = git_dir / _MAKING
    git = unfiltered(Repository(git_dir, git_dir))
    git.ask("worktree", "remove", "-f", "-f", making)  # of a killed command
    with disk_told(f"make {place}"):
        shutil.rmtree(making, ignore_errors=True)
        making.parent.mkdir(exist_ok=True)
        git.worktree("add", "-q", making, JOURNAL_BRANCH)
        git.worktree("lock", "--reason", _WHY, making)
        named = (making / ".git").read_text().removeprefix("gitdir: ").rstrip("\n")
        # Not by its full path: a repository that is moved, or mounted elsewhere, must find it.
        (making / ".git").write_text(f"gitdir: {os.path.relpath(named, making)}\n")
        place.parent.mkdir(exist_ok=True)
        git.worktree("move", "-f", "-f", making, place)
        making.parent.rmdir()


@contextlib.contextmanager
def _locked(git_dir: Path) -> Iterator[None]:
    from filelock import FileLock, Timeout

    lock = git_dir / f"{WORK_TREE}.lock"
    try:
        lock.parent.mkdir(exist_ok=True)
        with FileLock(lock, timeout=_LOCK_SECONDS):
            yield
    except Timeout as error:
        raise StoreError(f"another calmkb has held {lock} for {_LOCK_SECONDS} s") from error
    except OSError as error:
        raise StoreError(f"cannot write in {lock.parent}: {error.strerror or error}") from error
