"""`sync`: fetch, rebase, push; then record the outcome of proposals, and push that too."""

import os
from dataclasses import dataclass, replace
from pathlib import Path

from calmkb.errors import StoreError
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.store.commits.commit import recover, write_lock
from calmkb.wings.sharing.git.sync import Synced, preview, sync
from calmkb.wings.sharing.verbs.outcomes import BranchOutcome, record_outcomes

_LOCK_SECONDS = 60


@dataclass(frozen=True, slots=True)
class SyncResult:
    """What came in and went out, and the branches of proposals whose outcome was recorded."""

    synced: Synced
    outcomes: tuple[BranchOutcome, ...]


def sync_with_outcomes(kb: KnowledgeBase) -> SyncResult:
    """Pull and push, and record the outcome of proposals; StoreError says what failed."""
    kb.environment.report("Pulling and pushing", 0, 0)
    done = sync_kb(kb)
    kb.environment.report("Pushing", 1, 1)
    outcomes = record_outcomes(kb)
    if outcomes:
        again = sync_kb(kb)
        done = replace(done, pulled=done.pulled + again.pulled, pushed=done.pushed + again.pushed)
    return SyncResult(done, outcomes)


def sync_preview(kb: KnowledgeBase) -> SyncResult:
    """Return how many commits a sync would pull and push; nothing of the journal changes."""
    return SyncResult(preview(kb.repository), ())


def sync_kb(kb: KnowledgeBase) -> Synced:
    """Pull and push the records of `kb`; StoreError says what failed."""
    repository = kb.repository
    top = Path(os.path.realpath(repository.top))
    root = Path(os.path.realpath(kb.root)).relative_to(top).as_posix()
    own = root == "." and kb.is_personal
    folder = (
        "." if own or _is_own_repository(kb) else f"{root}/{kb.config.journal}".removeprefix("./")
    )
    recover(repository)
    (repository.git_dir / "calmkb").mkdir(exist_ok=True)
    lock = write_lock(repository, timeout=_LOCK_SECONDS)
    return sync(repository, folder, lock, kb.environment.report)


def share_with(kb: KnowledgeBase, remote: str) -> str:
    """Pull and push with `remote`, a name or an address that becomes `origin`; return its name."""
    repository = kb.repository
    git, names = repository.git, repository.remotes()
    if remote not in names:
        if "origin" in names:
            shown = ", ".join(names)
            raise StoreError(f"{repository.top} has no remote {remote}; choose from: {shown}")
        git.check_unsafe_protocols(remote)
        git.remote("add", "--", "origin", remote)
    elif remote != "origin":
        branch = repository.branch()
        name = branch.removeprefix("refs/heads/")
        git.config(f"branch.{name}.remote", remote)
        git.config(f"branch.{name}.merge", branch)
    return sync_kb(kb).remote


def _is_own_repository(kb: KnowledgeBase) -> bool:
    """Whether the repository is the knowledge base's own, its configuration at the top."""
    return (kb.repository.top / "calmkb.toml").is_file() and kb.root.samefile(kb.repository.top)
