"""The person's work tree and index: what may be written there, and bringing commits into both."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path, PurePosixPath
from shlex import quote

from calmkb.errors import GitFailedError, StoreError
from calmkb.store.commits.changes import Change, PathChange
from calmkb.store.commits.index_lock import IndexLock, enter
from calmkb.store.git.attributes import checked_out, is_stored_as
from calmkb.store.git.repository import Repository
from calmkb.store.git.trees import entries_in
from calmkb.system.files import disk_told, sync_folder, write_atomically
from calmkb.system.paths import is_git_name, leads_elsewhere
from calmkb.system.safe_paths import check_place

_ASKED_AT_ONCE = 100
_SYNCED_AT_ONCE = 32  # files from which one sync of the disk costs less than one for each


def check_paths(repository: Repository, change: Change) -> None:
    """Raise StoreError on a path that leaves the work tree, crosses a link or a file, or would be
    written into a file of another name, on a disk that does not tell cases apart."""
    folds_case = repository.setting("core.ignorecase") == "true"
    seen: set[Path] = set()  # an import has hundreds of files in a few folders
    for path in change.files:
        parts = PurePosixPath(path).parts
        if not parts or path.startswith("/") or ".." in parts or any(map(is_git_name, parts)):
            raise StoreError(f"{path!r} is not a path inside {repository.top}")
        place = repository.top / path
        for folder in (*reversed(place.parents[: len(parts) - 1]), place):
            if folder in seen:
                continue
            seen.add(folder)
            if folds_case:
                _check_case(folder.parent, folder.name)
            if leads_elsewhere(folder):
                raise StoreError(f"{folder} is a symbolic link; calmkb writes only real files")
            if folder != place and folder.is_file():
                raise StoreError(f"{folder} is a file; {path} needs a folder there")
        if place.is_dir():
            raise StoreError(f"{place} is a folder; calmkb writes only files")


def _check_case(folder: Path, name: str) -> None:
    try:
        names = [
            entry.name for entry in folder.iterdir() if entry.name.casefold() == name.casefold()
        ]
    except OSError:
        return  # not made yet
    if names and name not in names:
        raise StoreError(
            f"{folder / names[0]} is in the place of {name}: they differ in case only, and this "
            "disk holds one of them; rename it with git mv, then try again"
        )


def check_unedited(repository: Repository, change: Change) -> None:
    """Raise StoreError where a file would be lost that differs from what is committed."""
    standing = [
        path
        for path, data in change.files.items()
        if (repository.top / path).exists() and _content(repository.top / path) != data
    ]
    if not standing:
        return
    # Not asked of `git status`, which runs the filters that the repository's settings name.
    index = _in_index(repository, standing)
    head = _in_head(repository, standing) if repository.tip(repository.branch()) else {}
    for path in standing:
        known = index.get(path, "")
        if not known or known != head.get(path) or not _is_blob(repository, path, known):
            raise StoreError(f"{path} has uncommitted changes; commit or undo them, then try again")


def _is_blob(repository: Repository, path: str, entry: str) -> bool:
    """Return whether a file holds what git has, line ends as git or as Windows writes them."""
    content, blob = _content(repository.top / path) or b"", _blob(entry)
    plain = content.replace(b"\r\n", b"\n")
    return any(is_stored_as(repository, path, data, blob) for data in (content, plain))


def check_out(
    repository: Repository,
    changes: Sequence[PathChange],
    files: Mapping[str, bytes | None],
    lock: IndexLock,
    release: Callable[[], None],
) -> str:
    """Put the prepared index and `files` in place; return why that is not done yet, or "".

    The lock is held until they are there, and let go with `release` before the disk is waited for.
    """
    try:
        lock.publish()
        for path, data in files.items():
            _put(repository, path, data, durable=os.name == "nt")
        release()
        _sync([repository.top / path for path in files])
    except StoreError as error:
        return _warning(repository, changes, error)
    return ""


def _sync(places: Sequence[Path]) -> None:
    if len(places) >= _SYNCED_AT_ONCE and hasattr(os, "sync"):
        os.sync()
        return
    for place in places:
        with disk_told(f"write {place}"), suppress(FileNotFoundError):  # removed, by us or since
            sync_folder(place)
            sync_folder(place.parent)


def finish_check_out(repository: Repository, changes: Sequence[PathChange]) -> str:
    """Do what a killed `check_out` left: only where nobody has touched file or index since.

    Returns why it is not done yet, or "".
    """
    try:
        paths = [change.path for change in changes]
        head, index = _in_head(repository, paths), _in_index(repository, paths)
        left = [
            change
            for change in changes
            if head.get(change.path, "") == change.after
            and index.get(change.path, "") in (change.before, change.after)
        ]
        for change in left:
            if _holds_what_was_before(repository, change):
                blob = _blob(change.after)
                data = checked_out(repository, change.path, blob) if blob else None
                _put(repository, change.path, data)
        enter(repository, left)  # nobody waits for a person's lock here: the next call does it
    except StoreError as error:
        return _warning(repository, changes, error)
    return ""


def path_changes(
    repository: Repository, files: Mapping[str, bytes | None]
) -> tuple[PathChange, ...]:
    """Return how HEAD differs from the index in those of `files` that it holds just so."""
    paths = list(files)
    head, index = _in_head(repository, paths), _in_index(repository, paths)
    return tuple(
        PathChange(path, index.get(path, ""), head.get(path, ""))
        for path, data in files.items()
        if is_held(repository, path, data, head.get(path, ""))
    )


def is_held(repository: Repository, path: str, data: bytes | None, entry: str) -> bool:
    """Return whether a tree's `entry` at `path` ("" for none) is what was to be written there."""
    if data is None or not entry:
        return data is None and not entry
    return is_stored_as(repository, path, data, _blob(entry))


def merged(changes: Iterable[PathChange]) -> tuple[PathChange, ...]:
    """Return one change a path: from the first state to the last."""
    found: dict[str, PathChange] = {}
    for change in changes:
        before = found.get(change.path, change).before
        found[change.path] = PathChange(change.path, before, change.after)
    return tuple(found.values())


def tree_entries(repository: Repository, commit: str, paths: Sequence[str]) -> dict[str, str]:
    """Return path → "MODE BLOB" for those of `paths` that `commit` holds."""
    git = repository.git(literal_pathspecs=True)
    return _listed(lambda some: git.ls_tree("-z", commit, "--", some), paths)


def _in_head(repository: Repository, paths: Sequence[str]) -> dict[str, str]:
    return tree_entries(repository, "HEAD", paths)


def _in_index(repository: Repository, paths: Sequence[str]) -> dict[str, str]:
    git = repository.git(literal_pathspecs=True)
    return _listed(lambda some: git.ls_files("-s", "-z", "--", some), paths)


def _listed(ask: Callable[[list[str]], str], paths: Sequence[str]) -> dict[str, str]:
    """Ask for as many paths at a time as a command line surely takes."""
    entries: dict[str, str] = {}
    for start in range(0, len(paths), _ASKED_AT_ONCE):
        entries |= entries_in(ask(list(paths[start : start + _ASKED_AT_ONCE])))
    return entries


def _blob(entry: str) -> str:
    return entry.partition(" ")[2]


def _holds_what_was_before(repository: Repository, change: PathChange) -> bool:
    content, blob = _content(repository.top / change.path), _blob(change.before)
    if content is None or not blob:  # a power cut can leave a name without what was written
        return not content and not blob
    return is_stored_as(repository, change.path, content, blob)


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None


def _put(repository: Repository, name: str, data: bytes | None, *, durable: bool = True) -> None:
    path = repository.top / name
    if data is not None:
        write_atomically(
            path, data, by_way_of=repository.spool, durable=durable, inside=repository.top
        )
        return
    check_place(path, repository.top)
    with disk_told(f"remove {path}"):
        path.unlink(missing_ok=True)


def _warning(repository: Repository, changes: Sequence[PathChange], error: StoreError) -> str:
    reason = error.stderr.partition("\n")[0] if isinstance(error, GitFailedError) else str(error)
    paths = " ".join(quote(change.path) for change in changes[:5])
    more = " …" if len(changes) > 5 else ""
    return (
        f"committed, but the work tree or index of {repository.top} could not be brought up to "
        f"date ({reason}); the next calmkb command does it. Before you commit by hand, "
        f"run: git reset -q -- {paths}{more}"
    )
