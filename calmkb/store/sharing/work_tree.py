"""Brings branch, index and work tree to what a sync made, a person's own changes kept."""

import stat
from collections.abc import Sequence

from calmkb.errors import StoreError
from calmkb.store.commits.index_lock import IndexLock
from calmkb.store.git.attributes import is_stored_as
from calmkb.store.git.filters import refuse_filtered, without_filters
from calmkb.store.git.repository import Repository, ask_git, run_git
from calmkb.store.sharing.rebase import Edit, edits_of


class MovedError(StoreError):
    """The branch moved while a sync was under way; nothing was changed."""


def move(lock: IndexLock, branch: str, old: str, new: str, *, unborn: bool = False) -> None:
    """Bring branch, index and work tree from `old` to `new`, a person's own changes kept.

    `unborn` says that there is no branch yet, and `old` is the empty tree. git's own lock on the
    index is held, so that no commit of a person's begins meanwhile.

    Raises MovedError, with nothing changed, where the branch is no longer at `old`, and StoreError
    where uncommitted changes are in the way.
    """
    repository = lock.repository
    refuse_filtered(repository, old, new)
    at = None if unborn else old
    if repository.attached_branch() != branch or repository.tip(branch) != at:
        raise MovedError(f"{branch} of {repository.top} moved during the sync; sync again")
    lock.copy()
    refresh = [*without_filters(repository), "update-index", "-q", "--refresh"]
    ask_git(refresh, cwd=repository.top, index=lock.new)
    if _take_in_what_is_there(lock, old, new):
        ask_git(refresh, cwd=repository.top, index=lock.new)
    _merge_trees(lock, old, new)
    lock.publish()
    stood = at or "0" * len(old)
    try:
        run_git(["update-ref", "-m", "calmkb sync", branch, new, stood], cwd=repository.top)
    except StoreError:
        lock.copy()
        _merge_trees(lock, new, old)
        lock.publish()
        raise


def _take_in_what_is_there(lock: IndexLock, old: str, new: str) -> bool:
    """Note in the index the files that already are as `new` has them; tell whether there are any.

    A sync that was killed while it wrote the work tree leaves such files. git would take them for
    a person's changes in the way. What a person has staged stays.
    """
    repository = lock.repository
    asked = ["diff-tree", "-r", "-z", "--no-renames", "--diff-filter=AM", old, new]
    written = [edit for edit in edits_of(repository, asked) if _is_written(repository, edit)]
    if not written:
        return False
    staged = _staged(lock, [edit.path for edit in written])
    lines = b"".join(
        f"{edit.mode} {edit.after}\t{edit.path}\0".encode(errors="surrogateescape")
        for edit in written
        if staged.get(edit.path, "") == edit.before
    )
    command = [*without_filters(repository), "update-index", "-z", "--index-info"]
    run_git(command, cwd=repository.top, data=lines, index=lock.new)
    return True


def _is_written(repository: Repository, edit: Edit) -> bool:
    place = repository.top / edit.path
    try:
        if not stat.S_ISREG(place.lstat().st_mode):
            return False
        return is_stored_as(repository, edit.path, place.read_bytes(), edit.after)
    except OSError:
        return False


def _staged(lock: IndexLock, paths: Sequence[str]) -> dict[str, str]:
    """Return path → blob id of what the index holds of `paths`."""
    asked = ["--literal-pathspecs", "ls-files", "--stage", "-z", "--", *paths]
    listed = run_git(asked, cwd=lock.repository.top, index=lock.new)
    rows = listed.decode(errors="surrogateescape").split("\0")[:-1]
    return {path: entry.split(" ")[1] for entry, _, path in (row.partition("\t") for row in rows)}


def _merge_trees(lock: IndexLock, old: str, new: str) -> None:
    """Bring the work tree and the index beside the one in use from one tree to the other."""
    repository = lock.repository
    command = [*without_filters(repository), "read-tree", "-m", "-u", old, new]
    try:
        run_git(command, cwd=repository.top, index=lock.new)
    except StoreError as error:
        raise StoreError(
            f"uncommitted changes in {repository.top} are in the way of what others pushed; "
            f"commit or stash them, then sync again ({_last_line(error)})"
        ) from error


def _last_line(error: StoreError) -> str:
    return str(error).strip().split("\n")[-1].strip()
