"""Commits that wait here, laid upon what others pushed: one file a record, so they seldom meet.

Done in git's object store, away from the index and the work tree: nothing of a person's is touched
until the result stands.
"""

import hashlib
import os
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from calmkb.errors import StoreError
from calmkb.store.filters import refuse_filtered, without_filters
from calmkb.store.git import (
    SAFE_OPTIONS,
    Repository,
    ask_git,
    clean_environment,
    git_program,
    run_git,
)

if TYPE_CHECKING:
    from git import Commit as GitCommit

_TEMPORARY_REF = "refs/calmkb/sync"
_NOTHING = ""


@dataclass(frozen=True, slots=True)
class Replayed:
    """The new tip, and the paths of records that both sides had changed: both are kept."""

    tip: str
    kept_both: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Edit:
    """One path of one commit: blob ids, empty where there is no file."""

    path: str
    mode: str
    before: str
    after: str


def commits_ahead(repository: Repository, upstream: str, tip: str) -> list["GitCommit"]:
    """Return the commits of `tip` that `upstream` lacks, oldest first."""
    # GitPython looks for git in the current folder too, unless it is told.
    os.environ.setdefault("GIT_PYTHON_GIT_EXECUTABLE", git_program())
    from git import Repo  # a third of a second: only a sync reads commits as objects

    repo = Repo(repository.top)
    repo.git.set_persistent_git_options(c=list(SAFE_OPTIONS))
    return list(repo.iter_commits(f"{upstream}..{tip}", reverse=True))


def outside(commits: Sequence["GitCommit"], folder: str) -> list[str]:
    """Return the paths outside `folder` that these commits touch, sorted."""
    paths = {edit.path for commit in commits for edit in _edits(commit)}
    return sorted(path for path in paths if not PurePosixPath(path).is_relative_to(folder))


def replay(repository: Repository, commits: Sequence["GitCommit"], upstream: str) -> Replayed:
    """Return what the commits, none of them a merge, make on top of `upstream`; no branch moves."""
    tip, kept = upstream, []
    for commit in commits:
        edits = []
        for edit in _edits(commit):
            placed, both = _settle(repository, edit, tip)
            edits += placed
            kept += both
        if edits:
            tip = _commit_on(repository, commit, tip, edits)
    return Replayed(tip, tuple(dict.fromkeys(kept)))


def _edits(commit: "GitCommit") -> list[_Edit]:
    if len(commit.parents) > 1:
        return []
    if not commit.parents:
        blobs = (item for item in commit.tree.traverse() if getattr(item, "type", "") == "blob")
        return [_Edit(str(b.path), f"{b.mode:o}", _NOTHING, b.hexsha) for b in blobs]  # type: ignore[union-attr]
    made = []
    for diff in commit.parents[0].diff(commit, no_renames=True):
        before = diff.a_blob.hexsha if diff.a_blob and not diff.new_file else _NOTHING
        after = diff.b_blob.hexsha if diff.b_blob and not diff.deleted_file else _NOTHING
        mode = diff.b_mode if after else diff.a_mode
        made.append(_Edit(str(diff.b_path or diff.a_path), f"{mode:o}", before, after))
    return made


def _settle(repository: Repository, edit: _Edit, tip: str) -> tuple[list[_Edit], list[str]]:
    """Return the edits that bring `edit` onto `tip`, and the path if both sides are kept."""
    theirs = ask_git(["rev-parse", "-q", "--verify", f"{tip}:{edit.path}"], cwd=repository.top)
    theirs = theirs or _NOTHING
    if theirs in (edit.before, edit.after):
        return ([] if theirs == edit.after else [edit]), []
    if not edit.after:
        return [], []  # we removed what they have rewritten since: the newer words stay
    if not theirs:
        return [edit], []  # they removed what we have rewritten since
    merged = _merged(repository, edit, theirs)
    if merged:
        return [_Edit(edit.path, edit.mode, theirs, merged)], []
    beside = _beside(edit.path, edit.after)
    return [_Edit(beside, edit.mode, _NOTHING, edit.after)], [edit.path]


def _merged(repository: Repository, edit: _Edit, theirs: str) -> str:
    """Return the blob of a merge without conflict, or nothing."""
    if not edit.before:
        return _NOTHING
    with tempfile.TemporaryDirectory() as folder:
        names = []
        for name, blob in (("ours", edit.after), ("base", edit.before), ("theirs", theirs)):
            path = Path(folder) / name
            path.write_bytes(run_git(["cat-file", "blob", blob], cwd=repository.top))
            names.append(str(path))
        done = subprocess.run(
            [git_program(), "merge-file", "-p", "-q", *names],
            cwd=repository.top,
            capture_output=True,
            env=clean_environment(os.environ),
            check=False,
        )
    if done.returncode != 0:
        return _NOTHING
    stored = run_git(["hash-object", "-w", "--stdin"], cwd=repository.top, data=done.stdout)
    return stored.decode().strip()


def _beside(path: str, blob: str) -> str:
    """Return a path next to `path`, the same on every machine for the same words."""
    place = PurePosixPath(path)
    mark = hashlib.sha256(blob.encode()).hexdigest()[:8]
    return str(place.with_name(f"{place.stem}-{mark}{place.suffix}"))


def _commit_on(
    repository: Repository, commit: "GitCommit", parent: str, edits: Sequence[_Edit]
) -> str:
    """Return a commit like `commit` with `parent` and `edits`, its author and words kept."""
    lines = [f"commit {_TEMPORARY_REF}", "mark :1", _who("author", commit)]
    message = _bytes(commit.message)
    head = "\n".join([*lines, _who("committer", commit), f"data {len(message)}\n"]).encode()
    body = [f"from {parent}"]
    for edit in edits:
        path = edit.path.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        body.append(f'M {edit.mode} {edit.after} "{path}"' if edit.after else f'D "{path}"')
    tail = "\n".join([*body, "", "get-mark :1", "done", ""]).encode(errors="surrogateescape")
    stream = b"feature done\n" + head + message + b"\n" + tail
    made = run_git(["fast-import", "--quiet", "--force", "--done"], cwd=repository.top, data=stream)
    run_git(["update-ref", "-d", _TEMPORARY_REF], cwd=repository.top)
    return made.decode().strip()


def _who(role: str, commit: "GitCommit") -> str:
    actor = commit.author if role == "author" else commit.committer
    seconds = commit.authored_date if role == "author" else commit.committed_date
    offset = commit.author_tz_offset if role == "author" else commit.committer_tz_offset
    sign, minutes = ("-" if offset > 0 else "+"), abs(offset) // 60
    name, email = ((part or "").translate(_PLAIN) for part in (actor.name, actor.email))
    return f"{role} {name} <{email}> {seconds} {sign}{minutes // 60:02}{minutes % 60:02}"


_PLAIN = str.maketrans("", "", "<>\n\0")


def _bytes(message: str | bytes) -> bytes:
    return message.encode(errors="surrogateescape") if isinstance(message, str) else message


def move(repository: Repository, branch: str, old: str, new: str, *, unborn: bool = False) -> None:
    """Bring branch, index and work tree from `old` to `new`, a person's own changes kept.

    `unborn` says that there is no branch yet, and `old` is the empty tree.

    Raises StoreError, with nothing changed, where uncommitted changes stand in the way or the
    branch has moved.
    """
    if old == new:
        return
    stood = "0" * len(old) if unborn else old
    refuse_filtered(repository, old, new)
    unfiltered = without_filters(repository)
    ask_git([*unfiltered, "update-index", "-q", "--refresh"], cwd=repository.top)
    try:
        run_git([*unfiltered, "read-tree", "-m", "-u", old, new], cwd=repository.top)
    except StoreError as error:
        raise StoreError(
            f"uncommitted changes in {repository.top} stand in the way of what others pushed; "
            f"commit or stash them, then sync again ({_last_line(error)})"
        ) from error
    try:
        run_git(["update-ref", "-m", "calmkb sync", branch, new, stood], cwd=repository.top)
    except StoreError:
        run_git([*unfiltered, "read-tree", "-m", "-u", new, old], cwd=repository.top)
        raise


def _last_line(error: StoreError) -> str:
    return str(error).strip().split("\n")[-1].strip()
