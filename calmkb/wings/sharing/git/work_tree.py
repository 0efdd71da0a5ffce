"""Brings branch, index and work tree to what a sync made, a person's own changes kept."""

import contextlib
import os
from dataclasses import replace
from pathlib import Path, PurePosixPath

from calmkb.errors import GitFailedError, StoreError
from calmkb.store.commits.index_lock import IndexLock
from calmkb.store.git.attributes import is_stored_as
from calmkb.store.git.filters import refuse_filtered, unfiltered
from calmkb.store.git.repository import Repository
from calmkb.store.git.trees import entries_in
from calmkb.system.safe_paths import check_place
from calmkb.wings.sharing.git.rebase import Edit, edits_of

_SUBMODULE = "160000"


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
    _refuse_hidden(repository, old, new)
    lock.copy()
    _refresh(lock)
    try:
        _merge_trees(lock, old, new)
    except StoreError:
        if not _stage_written(lock, old, new):
            raise
        _refresh(lock)
        _merge_trees(lock, old, new)
    lock.publish()
    before = at or "0" * len(old)
    try:
        repository.git.update_ref("-m", "calmkb sync", branch, new, before)
    except StoreError:
        lock.copy()
        _merge_trees(lock, new, old)
        lock.publish()
        raise


def _refuse_hidden(repository: Repository, old: str, new: str) -> None:
    """Raise StoreError where a file would be lost that git does not show to be a person's.

    git overwrites what it ignores, a folder of such files too, and what it is told to overlook.
    """
    edits = {edit.path: edit for edit in edits_of(repository, old, new)}
    for path, edit in edits.items():
        place, above = repository.top / path, PurePosixPath(path).parents[:-1]
        ways = [one for one in map(str, above) if _is_file(repository.top / one)]
        below = place.rglob("*") if place.is_dir() and not place.is_symlink() else ()
        ways += [one.relative_to(repository.top).as_posix() for one in filter(_is_file, below)]
        lost = [one for one in ways if one not in edits]
        if edit.mode != _SUBMODULE and _is_file(place):
            in_git = (replace(edit, after=blob) for blob in (edit.before, edit.after))
            lost += [] if any(_is_written(repository, one) for one in in_git) else [path]
        if lost:
            raise StoreError(
                f"uncommitted changes in {repository.top} are in the way of what others pushed; "
                f"commit or stash them, or move {lost[0]} away, then sync again"
            )


def _is_file(place: Path) -> bool:
    return os.path.lexists(place) and (place.is_symlink() or not place.is_dir())


def _refresh(lock: IndexLock) -> None:
    """Have git look at the files again; it exits with an error where one is edited."""
    with contextlib.suppress(GitFailedError):
        unfiltered(lock.repository).update_index("-q", "--refresh", env=lock.env)


def _stage_written(lock: IndexLock, old: str, new: str) -> bool:
    """Stage the files that are already as `new` has them; return whether there are any.

    A sync that was killed while it wrote the work tree leaves such files, and git takes them for a
    person's changes in the way. What a person has staged stays.
    """
    repository = lock.repository
    staged = entries_in(repository.git.ls_files("-s", "-z", env=lock.env))
    lines = b"".join(
        f"{edit.mode} {edit.after}\t{edit.path}\0".encode(errors="surrogateescape")
        for edit in edits_of(repository, "--diff-filter=AM", old, new)
        if staged.get(edit.path, "").partition(" ")[2] == edit.before
        and _is_written(repository, edit)
    )
    if not lines:
        return False
    unfiltered(repository).update_index("-z", "--index-info", istream=lines, env=lock.env)
    return True


def _is_written(repository: Repository, edit: Edit) -> bool:
    """Return whether a file, behind no link, holds what the edit writes; a link is its target."""
    place = repository.top / edit.path
    try:
        if place.is_symlink():
            data = os.fsencode(check_place(place.parent, repository.top) and place.readlink())
        else:
            data = check_place(place, repository.top).read_bytes()
    except (OSError, StoreError):
        return False
    return is_stored_as(repository, edit.path, data, edit.after)


def _merge_trees(lock: IndexLock, old: str, new: str) -> None:
    """Bring the work tree and the index beside the one in use from one tree to the other."""
    try:
        unfiltered(lock.repository).read_tree("-m", "-u", old, new, env=lock.env)
    except StoreError as error:
        last = str(error).strip().split("\n")[-1].strip()
        raise StoreError(
            f"uncommitted changes in {lock.repository.top} are in the way of what others pushed; "
            f"commit or stash them, then sync again ({last})"
        ) from error
