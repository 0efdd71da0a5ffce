"""Brings branch, index and work tree to what a sync made, a person's own changes kept."""

from calmkb.errors import StoreError
from calmkb.store.commits.index_lock import IndexLock
from calmkb.store.git.attributes import is_stored_as
from calmkb.store.git.filters import refuse_filtered, without_filters
from calmkb.store.git.repository import Repository
from calmkb.store.git.run import ask_git, run_git
from calmkb.store.sharing.rebase import Edit, edits_of
from calmkb.system.safe_paths import check_place

_FILE_MODES = ("100644", "100755")


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
    try:
        _merge_trees(lock, old, new)
    except StoreError:
        if not _stage_written(lock, old, new):
            raise
        ask_git(refresh, cwd=repository.top, index=lock.new)
        _merge_trees(lock, old, new)
    lock.publish()
    before = at or "0" * len(old)
    try:
        run_git(["update-ref", "-m", "calmkb sync", branch, new, before], cwd=repository.top)
    except StoreError:
        lock.copy()
        _merge_trees(lock, new, old)
        lock.publish()
        raise


def _stage_written(lock: IndexLock, old: str, new: str) -> bool:
    """Stage the files that are already as `new` has them; return whether there are any.

    A sync that was killed while it wrote the work tree leaves such files, and git takes them for a
    person's changes in the way. What a person has staged stays.
    """
    repository = lock.repository
    asked = ["diff-tree", "-r", "-z", "--no-renames", "--diff-filter=AM", old, new]
    staged = _staged(lock)
    lines = b"".join(
        f"{edit.mode} {edit.after}\t{edit.path}\0".encode(errors="surrogateescape")
        for edit in edits_of(repository, asked)
        if staged.get(edit.path, "") == edit.before and _is_written(repository, edit)
    )
    if not lines:
        return False
    command = [*without_filters(repository), "update-index", "-z", "--index-info"]
    run_git(command, cwd=repository.top, data=lines, index=lock.new)
    return True


def _is_written(repository: Repository, edit: Edit) -> bool:
    """Return whether a real file, behind no link, holds what the edit writes."""
    place = repository.top / edit.path
    if edit.mode not in _FILE_MODES or not place.is_file():
        return False
    try:
        data = check_place(place, repository.top).read_bytes()
    except (OSError, StoreError):
        return False
    return is_stored_as(repository, edit.path, data, edit.after)


def _staged(lock: IndexLock) -> dict[str, str]:
    """Return path → blob id of all that the index holds."""
    listed = run_git(["ls-files", "--stage", "-z"], cwd=lock.repository.top, index=lock.new)
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
