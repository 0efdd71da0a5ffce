"""Proposals on branches of the shared repository: pushed, followed, and found merged or gone.

A branch is `calmkb/NAME` on the remote and `refs/calmkb/proposals/NAME` here: no branch of a
person's, and no pruning fetch of theirs takes it away before its outcome is recorded.
"""

import contextlib
from dataclasses import dataclass
from shlex import quote

from calmkb.errors import GitFailedError, StoreError
from calmkb.store.commits.changes import Change
from calmkb.store.commits.landed import locking_refs
from calmkb.store.commits.signing import open_import
from calmkb.store.git.attributes import store_converted
from calmkb.store.git.remotes import fetch, push
from calmkb.store.git.repository import Repository, find_repository
from calmkb.store.git.temporary_refs import refs_below
from calmkb.store.git.trees import names_in
from calmkb.system.journal_place import JOURNAL_REF

PREFIX = "calmkb/"  # what every branch of ours begins with on the remote
_HERE = "refs/calmkb/proposals/"
_UNSENT = "refs/calmkb/unsent/"
TRAILER = "Calm-Proposals"  # the trailer that names the branch in the commit that proposes


@dataclass(frozen=True, slots=True)
class Base:
    """The branch that proposals are made to: the remote, its branch's short name, its tip here."""

    remote: str
    branch: str
    tip: str


def fetch_base(repository: Repository) -> Base:
    """Return the remote's default branch, fetched now with all branches of ours.

    A journal on a branch of its own is proposed to there, whatever branch the code has by default.
    Raises StoreError where there is no remote, or it cannot be reached or has no branch yet.
    """
    remote = remote_of(repository)
    try:
        ref = JOURNAL_REF if _on_journal_branch(repository) else _default_branch(repository, remote)
        if not ref.startswith("refs/heads/"):
            raise StoreError(f"{remote} has no default branch yet; push to it first: calmkb sync")
        branch = ref.removeprefix("refs/heads/")
        tracking = f"refs/remotes/{remote}/{branch}"
        specs = [f"+{ref}:{tracking}", f"+refs/heads/{PREFIX}*:{_HERE}*"]
        with locking_refs(repository.git_dir):
            fetch(beside_code(repository).git, remote, *specs)
    except GitFailedError as error:
        reason = error.stderr.strip().split("\n")[0]
        raise StoreError(f"cannot reach {remote} ({reason}); try again when you can") from error
    tip = repository.tip(tracking)
    if tip is None:
        raise StoreError(f"{remote} has no commit on {branch} yet; push to it first: calmkb sync")
    return Base(remote, branch, tip)


def _on_journal_branch(repository: Repository) -> bool:
    return repository.attached_branch() == JOURNAL_REF


def _default_branch(repository: Repository, remote: str) -> str:
    """Return the full name of the remote's default branch, or nothing."""
    listed = repository.git.ls_remote("--symref", "--", remote, "HEAD")
    named = [line.split() for line in listed.splitlines()]
    return next((words[1] for words in named if words[:1] == ["ref:"]), "")


def known_base(repository: Repository) -> Base:
    """Return the remote's default branch as it was when git last heard of it; nothing is asked.

    Raises StoreError where there is no remote, or none of its branches is known here.
    """
    remote = remote_of(repository)
    prefix = f"refs/remotes/{remote}/"
    head = repository.git.ask("symbolic-ref", "-q", f"{prefix}HEAD") or ""
    current = (repository.attached_branch() or "").removeprefix("refs/heads/")
    own = [current] if _on_journal_branch(repository) else []
    for branch in (*own, head.removeprefix(prefix), "main", "master", current):
        if branch and (tip := repository.tip(prefix + branch)):
            return Base(remote, branch, tip)
    raise StoreError(
        f"no branch of {remote} is known here; run: git fetch {remote}, or: calmkb sync"
    )


def remote_of(repository: Repository, purpose: str = "propose to") -> str:
    """Return the remote of the checked-out branch, else origin or the only one.

    StoreError where there is none, which names the `purpose`.
    """
    name = (repository.attached_branch() or "").removeprefix("refs/heads/")
    remote = repository.setting(f"branch.{name}.remote")
    if not remote or remote == ".":
        remotes = repository.remotes()
        remote = "origin" if "origin" in remotes else remotes[0] if len(remotes) == 1 else ""
    if not remote:
        raise StoreError(
            f"{repository.top} has no remote to {purpose}; add one with: "
            f"git -C {quote(str(repository.top))} remote add origin ADDRESS"
        )
    return remote


def beside_code(repository: Repository) -> Repository:
    """Return the work tree that a remote's relative address is meant from: the repository's own."""
    shared = repository.common_dir.resolve()
    first = find_repository(shared.parent)
    return first if first and first.common_dir.resolve() == shared else repository


def publish(repository: Repository, base: Base, name: str, change: Change) -> None:
    """Push `change` as one commit on top of `base`, as the branch `calmkb/NAME`.

    Work tree, index and branches stay as they are. Raises StoreError where the remote refuses;
    then nothing of it is left here either.
    """
    # Not followed before the remote has it: a branch that is followed and not there was closed.
    here = _UNSENT + name
    with open_import(repository, here) as running:
        running.begin_at(base.tip)
        stored = store_converted(repository, change.files)
        running.add(change, repository.identity(), stored)
        running.write()
        running.finish(new=True)
    try:
        spec = f"{here}:refs/heads/{PREFIX}{name}"
        if refused := push(beside_code(repository), base.remote, spec):
            raise GitFailedError(refused, refused)
        repository.git.update_ref(_HERE + name, here)
    except GitFailedError as error:
        raise StoreError(
            f"{base.remote} refused the branch {PREFIX}{name} ({error.stderr.strip()}); "
            "nothing was proposed"
        ) from error
    finally:
        repository.git.update_ref("-d", here)


def followed(repository: Repository) -> list[str]:
    """Return the names of the branches of ours that have no recorded outcome here, sorted."""
    return [name.removeprefix(_HERE) for name in refs_below(repository.git, _HERE)]


def forget(repository: Repository, name: str) -> None:
    """Follow a branch no longer; the remote's is left alone."""
    repository.git.update_ref("-d", _HERE + name)


def on_remote(repository: Repository, remote: str) -> frozenset[str]:
    """Return the names of our branches that are on the remote."""
    try:
        found = beside_code(repository).git.ls_remote("--", remote, f"refs/heads/{PREFIX}*")
    except GitFailedError as error:
        raise StoreError(f"cannot reach {remote} ({error.stderr.strip()})") from error
    heads = (line.partition("\t")[2] for line in found.splitlines())
    return frozenset(head.removeprefix(f"refs/heads/{PREFIX}") for head in heads)


def proposed_files(repository: Repository, name: str, folder: str) -> dict[str, bytes]:
    """Return path → data of the files below `folder` that a branch proposed when it was made.

    What a reviewer changed since is in later commits; nothing where the commit that
    `publish` made is not in the branch.
    """
    made = _proposing_commit(repository, name)
    if not made:
        return {}
    listed = repository.git.diff_tree(
        "-r", "--no-renames", "-z", "--name-only", "--diff-filter=A", f"{made}^", made, "--", folder
    )
    return {path: _show(repository, made, path) for path in names_in(listed)}


def proposing_message(repository: Repository, name: str) -> str:
    """Return the message of the commit that `publish` made, "" where it is not in the branch."""
    made = _proposing_commit(repository, name)
    return (repository.git.ask("log", "-1", "--format=%B", made) or "") if made else ""


def _proposing_commit(repository: Repository, name: str) -> str | None:
    asked = ("--fixed-strings", f"--grep={TRAILER}: {name}", "-1", _HERE + name)
    return repository.git.ask("rev-list", *asked)


def file_at(repository: Repository, commit: str, path: str) -> bytes | None:
    """Return what a file holds in a commit, or None where it is not there."""
    with contextlib.suppress(GitFailedError):
        return _show(repository, commit, path)
    return None


def added_by(repository: Repository, tip: str, path: str) -> str:
    """Return the address of who brought `path` into the line of `tip`: who merged it."""
    asked = ("-1", "--first-parent", "-m", "--diff-filter=A", "--format=%ae", tip, "--", path)
    return repository.git(literal_pathspecs=True).ask("log", *asked) or ""


def _show(repository: Repository, commit: str, path: str) -> bytes:
    return repository.git.cat_file("blob", f"{commit}:{path}", stdout_as_string=False)
