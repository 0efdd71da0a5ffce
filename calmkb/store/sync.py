"""`sync`: fetch, lay ours upon theirs, push; the team's git host is the distributed engine."""

import time
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from calmkb.errors import StoreError
from calmkb.store.git import GitFailedError, Repository, ask_git, run_git
from calmkb.store.replay import commits_ahead, move, outside, replay

if TYPE_CHECKING:
    from git import Commit as GitCommit

_TRIES = 8


@dataclass(frozen=True, slots=True)
class Synced:
    """How many commits came in and went out, and the records that both sides had changed."""

    remote: str
    pulled: int
    pushed: int
    kept_both: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Upstream:
    remote: str
    ref: str
    tracking: str


def sync(repository: Repository, folder: str, lock: AbstractContextManager[object]) -> Synced:
    """Bring the checked-out branch and its upstream together.

    `folder` (from the top of the work tree) holds the records: local commits that touch anything
    else are a person's work, and theirs to push. `lock` keeps our own writers away meanwhile.

    Raises StoreError where there is no remote, no network, work of a person's in the way, or the
    remote refuses; every record is then where it was.
    """
    branch = repository.branch()
    upstream = _upstream(repository, branch)
    pulled, kept = 0, dict[str, None]()
    for attempt in range(_TRIES):
        theirs = _fetch(repository, upstream)
        with lock:
            came, both, waiting = _join(repository, branch, theirs, folder)
        pulled += came
        kept |= dict.fromkeys(both)
        if not waiting or _push(repository, branch, upstream, theirs):
            return Synced(upstream.remote, pulled, waiting, tuple(kept))
        time.sleep(0.05 * 2**attempt)  # somebody else pushed first: they are at it right now
    raise StoreError(
        f"{upstream.remote} kept moving while we pushed; nothing is lost, sync again in a moment"
    )


def _join(
    repository: Repository, branch: str, theirs: str | None, folder: str
) -> tuple[int, tuple[str, ...], int]:
    """Return how many commits came in, what both had changed, and how many of ours wait."""
    ours = repository.tip(branch)
    if theirs is None or ours is None or ours == theirs:
        if ours is None and theirs is not None:
            _adopt(repository, branch, theirs)
            return _count(repository, theirs), (), 0
        return 0, (), 0 if ours == theirs or ours is None else _count(repository, ours)
    ahead = commits_ahead(repository, theirs, ours)
    behind = _count(repository, f"{ours}..{theirs}")
    if not behind:
        _refuse_foreign(repository, outside(ahead, folder), folder)
        return 0, (), len(ahead)
    _refuse_foreign(repository, outside(ahead, folder), folder)
    _refuse_merges(repository, ahead)
    done = replay(repository, ahead, theirs)
    move(repository, branch, ours, done.tip)
    return behind, done.kept_both, _count(repository, f"{theirs}..{done.tip}")


def _refuse_foreign(repository: Repository, paths: list[str], folder: str) -> None:
    if paths:
        more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
        raise StoreError(
            f"commits that wait in {repository.top} touch {paths[0]}{more}, outside {folder}/: "
            "they are your work; pull and push them with git, and the records go along"
        )


def _refuse_merges(repository: Repository, ahead: "list[GitCommit]") -> None:
    """Leave a merge to the person who made it: what they settled in it stands nowhere else."""
    if any(len(commit.parents) > 1 for commit in ahead):
        raise StoreError(
            f"the commits that wait in {repository.top} hold a merge, and others pushed since; "
            "merge theirs with git pull, then sync again"
        )


def _adopt(repository: Repository, branch: str, theirs: str) -> None:
    """Begin an unborn branch at what others have; what a person has staged stays staged.

    Merged from the empty tree: with one tree alone git would delete every staged file not in it.
    """
    nothing = run_git(["hash-object", "-t", "tree", "-w", "--stdin"], cwd=repository.top)
    move(repository, branch, nothing.decode().strip(), theirs, unborn=True)


def _count(repository: Repository, commits: str) -> int:
    return int(run_git(["rev-list", "--count", commits], cwd=repository.top))


def _upstream(repository: Repository, branch: str) -> _Upstream:
    """Return where the branch goes: its configured upstream, else origin (or the only remote)."""
    name = branch.removeprefix("refs/heads/")
    remote = ask_git(["config", f"branch.{name}.remote"], cwd=repository.top)
    ref = ask_git(["config", f"branch.{name}.merge"], cwd=repository.top)
    if not remote or remote == ".":
        remotes = (ask_git(["remote"], cwd=repository.top) or "").split()
        remote = "origin" if "origin" in remotes else remotes[0] if len(remotes) == 1 else ""
        ref = branch
    if not remote:
        raise StoreError(
            f"{repository.top} has no remote to sync with; add one with: "
            "git remote add origin ADDRESS"
        )
    target = ref or branch
    short = target.removeprefix("refs/heads/")
    return _Upstream(remote, target, f"refs/remotes/{remote}/{short}")


def _fetch(repository: Repository, upstream: _Upstream) -> str | None:
    """Return the remote's tip, or None where it has no such branch yet."""
    try:
        listed = run_git(["ls-remote", "--", upstream.remote, upstream.ref], cwd=repository.top)
        if not listed.strip():
            return None
        spec = f"+{upstream.ref}:{upstream.tracking}"
        run_git(
            ["fetch", "-q", "--no-tags", "--no-write-fetch-head", "--", upstream.remote, spec],
            cwd=repository.top,
        )
    except GitFailedError as error:
        reason = error.stderr.strip().split("\n")[0]
        raise StoreError(
            f"cannot reach {upstream.remote} ({reason}); nothing is lost, sync again when you can"
        ) from error
    return repository.tip(upstream.tracking)


def _push(repository: Repository, branch: str, upstream: _Upstream, theirs: str | None) -> bool:
    """Push; tell whether it went through, False where somebody was quicker."""
    spec = f"{branch}:{upstream.ref}"
    try:
        run_git(["push", "-q", "--porcelain", "--", upstream.remote, spec], cwd=repository.top)
    except GitFailedError as error:
        if _fetch(repository, upstream) != theirs:
            return False
        raise StoreError(
            f"{upstream.remote} refused the push ({error.stderr.strip()}); "
            "nothing is lost, the records are committed here"
        ) from error
    return True
