"""`sync`: fetch, rebase, push; then record the outcome of proposals, and push that too."""

from dataclasses import dataclass, replace

from calmkb.config import CONFIG_NAME
from calmkb.errors import StoreError
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.store.commits.commit import recover, write_lock
from calmkb.store.commits.landed import locking_refs
from calmkb.wings.sharing.git.sync import Readme, Synced, preview, sync
from calmkb.wings.sharing.verbs.outcomes import BranchOutcome, record_outcomes
from calmkb.wings.sharing.verbs.readme import readme_path, renew_readme

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
    recover(kb.repository)
    with locking_refs(kb.repository.git_dir):
        return SyncResult(preview(kb.repository), ())


def sync_kb(kb: KnowledgeBase) -> Synced:
    """Pull and push the records of `kb`; StoreError says what failed."""
    repository = kb.repository
    at_top = kb.prefix == kb.config.journal
    own = at_top and (kb.is_personal or (repository.top / CONFIG_NAME).is_file())
    recover(repository)
    kb.catch_up()
    lock = write_lock(repository, timeout=_LOCK_SECONDS)
    path = readme_path(kb)
    readme = Readme(path, lambda: renew_readme(kb, path))
    with locking_refs(repository.git_dir):
        return sync(repository, "." if own else kb.prefix, lock, kb.environment.report, readme)


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
