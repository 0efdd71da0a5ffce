"""Commits made beside the user: their index, staged work, hooks and branch stay as they are.

One `git fast-import` writes blobs, trees and commit, and moves the branch only if nobody else has;
a lost race starts again from the new tip. The checked-out index is brought up to date last.
"""

import random
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path, PurePosixPath

from filelock import FileLock

from calmkb.errors import StoreError
from calmkb.store.files import write_atomically
from calmkb.store.git import GitFailedError, Repository, ask_git, run_git

_RACES = 50
_INDEX_TRIES = 40
_LOCK_SECONDS = 60


@dataclass(frozen=True, slots=True)
class Change:
    """Files to write (path from the top of the work tree → bytes) or, with None, to remove."""

    files: Mapping[str, bytes | None]
    message: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Commit:
    """What was committed; `warning` tells what could not be done to the checked-out index."""

    id: str
    warning: str = ""


def commit(repository: Repository, change: Change) -> Commit:
    """Commit `change` on the checked-out branch and bring its files into the work tree.

    Raises StoreError on a detached HEAD, on a path through a link, on a file with uncommitted
    edits, and where git or the disk refuses; then the branch has not moved.
    """
    branch = repository.branch()
    for path in change.files:
        _check_path(repository, path)
    with FileLock(_lock_path(repository), timeout=_LOCK_SECONDS):
        _check_unedited(repository, change)
        new = _import_until_won(repository, branch, change)
        _check_out(repository, change)
        return Commit(new, _refresh_index(repository, branch, change))


def _lock_path(repository: Repository) -> Path:
    folder = repository.git_dir / "calmkb"
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise StoreError(f"cannot write {folder}: {error.strerror}") from error
    return folder / "write.lock"


def _check_path(repository: Repository, path: str) -> None:
    """Refuse a path that leaves the work tree or passes through a symbolic link."""
    parts = PurePosixPath(path).parts
    if not parts or path.startswith("/") or ".." in parts or ".git" in parts:
        raise StoreError(f"{path!r} is not a path inside {repository.top}")
    here = repository.top
    for part in parts:
        here /= part
        if here.is_symlink():
            raise StoreError(f"{here} is a symbolic link; calmkb writes only real files")


def _check_unedited(repository: Repository, change: Change) -> None:
    """Refuse to overwrite a tracked file that differs from what is committed."""
    standing = [path for path in change.files if (repository.top / path).exists()]
    if not standing:
        return
    state = run_git(
        ["--literal-pathspecs", "status", "--porcelain", "-z", "--", *standing], cwd=repository.top
    )
    if state:
        path = state.split(b"\0")[0][3:].decode(errors="replace")
        raise StoreError(f"{path} has uncommitted changes; commit or undo them, then try again")


def _import_until_won(repository: Repository, branch: str, change: Change) -> str:
    for attempt in range(_RACES):
        tip = repository.tip(branch)
        stream = _stream(branch, tip, change, repository.identity())
        try:
            answer = run_git(["fast-import", "--quiet", "--done"], cwd=repository.top, data=stream)
            return answer.decode().strip()
        except GitFailedError:
            if repository.tip(branch) == tip:
                raise
            _pause(attempt)
    raise StoreError(f"{branch} of {repository.top} kept moving; try again in a moment")


def _stream(branch: str, tip: str | None, change: Change, identity: tuple[str, str]) -> bytes:
    """Return the fast-import commands for one commit on top of `tip`."""
    name, email = (part.translate(_NO_BRACKETS) for part in identity)
    who = f"{name} <{email}> {int(change.at.timestamp())} +0000"
    head = ["feature done", f"commit {branch}", "mark :1", f"author {who}", f"committer {who}"]
    blocks = ["\n".join(head).encode() + b"\n", _data(change.message.encode())]
    if tip:
        blocks.append(f"from {tip}\n".encode())
    for path, data in sorted(change.files.items()):
        if data is None:
            blocks.append(b"D " + _quoted(path) + b"\n")
        else:
            blocks += [b"M 100644 inline " + _quoted(path) + b"\n", _data(data)]
    return b"".join([*blocks, b"get-mark :1\n", b"done\n"])


_NO_BRACKETS = str.maketrans("", "", "<>\n\0")


def _data(content: bytes) -> bytes:
    return f"data {len(content)}\n".encode() + content + b"\n"


def _quoted(path: str) -> bytes:
    escaped = path.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'.encode(errors="surrogateescape")


def _check_out(repository: Repository, change: Change) -> None:
    for path, data in change.files.items():
        if data is None:
            (repository.top / path).unlink(missing_ok=True)
        else:
            write_atomically(repository.top / path, data)


def _refresh_index(repository: Repository, branch: str, change: Change) -> str:
    """Enter the committed files in the checked-out index; return a warning where it is locked."""
    entries = _index_entries(repository, branch, change)
    refusal = ""
    for attempt in range(_INDEX_TRIES):
        try:
            run_git(["update-index", "-z", "--index-info"], cwd=repository.top, data=entries)
            return ""
        except GitFailedError as error:
            refusal = error.stderr
            if "index.lock" not in refusal:
                break
            _pause(attempt)
    paths = " ".join(change.files)
    return (
        f"committed, but the index of {repository.top} could not be updated ({refusal}); "
        f"run: git reset -q -- {paths}"
    )


def _index_entries(repository: Repository, branch: str, change: Change) -> bytes:
    """Return `update-index --index-info` lines for the paths as the branch now holds them."""
    listed = run_git(
        ["--literal-pathspecs", "ls-tree", "-r", "-z", branch, "--", *change.files],
        cwd=repository.top,
    )
    gone = (path for path, data in change.files.items() if data is None)
    removals = b"".join(f"0 {'0' * 40}\t{path}".encode() + b"\0" for path in gone)
    return listed + removals


def _pause(attempt: int) -> None:
    """Wait a little, longer each time and never twice the same, so that rivals part."""
    time.sleep(random.uniform(0.5, 1) * min(0.01 * 2**attempt, 0.25))  # noqa: S311 - no secret


def history(repository: Repository, path: str) -> list[str]:
    """Return the ids of the commits that touched `path`, newest first."""
    listed = ask_git(["log", "--format=%H", "--", path], cwd=repository.top)
    return listed.split("\n") if listed else []
