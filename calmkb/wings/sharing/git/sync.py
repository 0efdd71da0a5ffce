"""`sync`: fetch, rebase our commits onto theirs, push."""

import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import PurePosixPath

from calmkb.errors import GitFailedError, StoreError
from calmkb.store.commits.index_lock import IndexLock
from calmkb.store.git.remotes import Report, fetch, push
from calmkb.store.git.repository import Repository
from calmkb.wings.sharing.git.proposal_branches import beside_code, remote_of
from calmkb.wings.sharing.git.rebase import Ahead, commits_ahead, outside, replay
from calmkb.wings.sharing.git.work_tree import MovedError, move

README_SUBJECT = "calmkb: list the newest records in the README"
"""The commits of a file that is made of the records: nobody counts them, or rebases one."""
_README = ("-F", f"--grep={README_SUBJECT}")
_TRIES = 8


@dataclass(frozen=True, slots=True)
class Synced:
    """How many commits came in and went out, and the records that both sides had changed."""

    remote: str
    pulled: int
    pushed: int
    kept_both: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Readme:
    """The README of the records: its path from the top, and what commits it where it changed."""

    path: str
    renew: Callable[[], None]


@dataclass(frozen=True, slots=True)
class _Upstream:
    branch: str
    remote: str
    ref: str
    tracking: str
    report: Report | None = None


@dataclass(frozen=True, slots=True)
class _Step:
    """From which tip to which the branch goes ("" for none), what came in and what waits here."""

    old: str
    new: str
    pulled: int
    waiting: int
    kept_both: tuple[str, ...] = ()


def sync(
    repository: Repository,
    folder: str,
    lock: AbstractContextManager[object],
    report: Report | None = None,
    readme: Readme | None = None,
) -> Synced:
    """Bring the checked-out branch and its upstream together.

    `folder` (from the top of the work tree) holds the records: local commits that touch anything
    else are a person's work, and theirs to push. `lock` keeps our own writers away meanwhile.

    Raises StoreError where there is no remote, no network, work of a person's in the way, or the
    remote refuses; every record is then where it was.
    """
    branch = repository.branch()
    upstream = _upstream(repository, branch, report)
    pulled, kept, moved = 0, dict[str, None](), False
    (repository.git_dir / "calmkb").mkdir(exist_ok=True)
    for attempt in range(_TRIES):
        theirs = _fetch(repository, upstream)
        try:
            with lock:
                step = _join(repository, branch, theirs, folder, still=moved)
        except MovedError:  # a person committed just now: again, and no other commit meanwhile
            moved = True
            continue
        pulled += step.pulled
        kept |= dict.fromkeys(step.kept_both)
        if readme and (pulled or step.waiting):
            readme.renew()
        if repository.tip(branch) == theirs or _push(repository, upstream, theirs):
            if step.new:
                _track(repository, upstream)
            return Synced(upstream.remote, pulled, step.waiting, tuple(kept))
        time.sleep(0.05 * 2**attempt)  # somebody else pushed first: they are at it right now
    raise StoreError(
        f"{upstream.remote} or {branch} kept moving; nothing is lost, sync again in a moment"
    )


def preview(repository: Repository) -> Synced:
    """Return how many commits a sync would pull and push; only what is fetched changes.

    Raises StoreError where there is no remote, or it cannot be reached.
    """
    upstream = _upstream(repository, repository.branch())
    theirs, ours = _fetch(repository, upstream), repository.tip("HEAD")
    pulled, pushed = (
        _count(repository, f"{old}..{new}" if old else new) if new else 0
        for old, new in ((ours, theirs), (theirs, ours))
    )
    return Synced(upstream.remote, pulled, pushed)


def _join(
    repository: Repository, branch: str, theirs: str | None, folder: str, *, still: bool
) -> _Step:
    """Bring what others pushed in, our commits on top; return the step that was taken.

    git's index is locked for the move alone, or with `still` from the start: else somebody who
    commits all the time would always be quicker.
    """
    index = IndexLock(repository)
    with index if still else nullcontext():
        step = _planned(repository, repository.tip(branch), theirs, folder)
        if step.new != step.old:
            with nullcontext() if still else index:
                # An unborn branch is merged from the empty tree: with one tree alone git would
                # delete every file that a person has staged and that is not in it.
                move(index, branch, step.old or repository.git.mktree(istream=b""), step.new,
                     unborn=not step.old)  # fmt: skip
    return step


def _planned(repository: Repository, ours: str | None, theirs: str | None, folder: str) -> _Step:
    if ours == theirs:
        return _Step(ours or "", ours or "", 0, 0)
    if ours is None or theirs is None:
        pulled = _count(repository, theirs) if theirs else 0
        waiting = _count(repository, ours) if ours else 0
        return _Step(ours or "", theirs or ours or "", pulled, waiting)
    ahead, behind = commits_ahead(repository, theirs, ours), f"{ours}..{theirs}"
    _refuse_foreign(repository, outside(ahead, folder), folder)
    made = repository.git.rev_list(*_README, f"{theirs}..{ours}") if ahead else ""
    # Of READMEs those commits alone: one that a person amended may hold more.
    names = {one.id: {PurePosixPath(edit.path).name for edit in one.edits} for one in ahead}
    ahead = [one for one in ahead if one.id not in made or names[one.id] - {"README.md"}]
    if not repository.git.rev_list("-1", behind):
        return _Step(ours, ours, 0, len(ahead))
    _refuse_merges(repository, ahead)
    done = replay(repository, ahead, theirs)
    waiting = _count(repository, f"{theirs}..{done.tip}")
    return _Step(ours, done.tip, _count(repository, behind), waiting, done.kept_both)


def _refuse_foreign(repository: Repository, paths: list[str], folder: str) -> None:
    if paths:
        more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
        raise StoreError(
            f"commits that wait in {repository.top} touch {paths[0]}{more}, outside {folder}/: "
            "they are your work; pull and push them with git, and the records go along"
        )


def _refuse_merges(repository: Repository, ahead: list[Ahead]) -> None:
    """Leave a merge to the person who made it: its resolution is recorded nowhere else."""
    if any(commit.parents > 1 for commit in ahead):
        raise StoreError(
            f"the commits that wait in {repository.top} hold a merge, and others pushed since; "
            "merge theirs with git pull, then sync again"
        )


def _count(repository: Repository, commits: str) -> int:
    """Return how many of the commits are more than the README of the records."""
    return int(repository.git.rev_list("--count", "--invert-grep", *_README, commits))


def _upstream(repository: Repository, branch: str, report: Report | None = None) -> _Upstream:
    """Return where the branch goes: its configured upstream, else origin (or the only remote)."""
    name = branch.removeprefix("refs/heads/")
    remote = remote_of(repository, "sync with")
    configured = repository.setting(f"branch.{name}.remote") == remote
    target = (configured and repository.setting(f"branch.{name}.merge")) or branch
    tracking = f"refs/remotes/{remote}/{target.removeprefix('refs/heads/')}"
    return _Upstream(branch, remote, target, tracking, report)


def _track(repository: Repository, upstream: _Upstream) -> None:
    """Note where a branch goes that has no upstream yet: `git pull` asks for it."""
    name = upstream.branch.removeprefix("refs/heads/")
    if not repository.setting(f"branch.{name}.merge"):
        with suppress(GitFailedError):  # somebody else writes the configuration just now
            repository.git.config(f"branch.{name}.remote", upstream.remote)
            repository.git.config(f"branch.{name}.merge", upstream.ref)


def _fetch(repository: Repository, upstream: _Upstream) -> str | None:
    """Return the remote's tip, or None where it has no such branch yet."""
    spec, git = f"+{upstream.ref}:{upstream.tracking}", beside_code(repository).git
    try:
        fetch(git, upstream.remote, spec, report=upstream.report)
    except GitFailedError as error:
        if git.ask("ls-remote", "--", upstream.remote, upstream.ref) == "":
            return None
        reason = error.stderr.strip().split("\n")[0]
        raise StoreError(
            f"cannot reach {upstream.remote} ({reason}); nothing is lost, sync again when you can"
        ) from error
    return repository.tip(upstream.tracking)


def _push(repository: Repository, upstream: _Upstream, theirs: str | None) -> bool:
    """Push; tell whether it went through, False where somebody was quicker."""
    spec = f"{upstream.branch}:{upstream.ref}"
    try:
        refused = push(beside_code(repository), upstream.remote, spec, upstream.report)
    except GitFailedError as error:
        refused = error.stderr
    if not refused:
        return True
    if _fetch(repository, upstream) != theirs:
        return False
    raise StoreError(
        f"{upstream.remote} refused the push ({refused}); "
        "nothing is lost, the records are committed here"
    )
