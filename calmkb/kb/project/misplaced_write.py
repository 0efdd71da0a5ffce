"""A warning for records that go to the default knowledge base though the repository has one."""

from pathlib import Path

from calmkb.config import CONFIG_NAME, find_root
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.store.git.repository import Repository, find_repository

_UNKNOWN = (
    "this repository has no journal here; a colleague may have begun one: git fetch, then "
    "calmkb project move"
)


def misplaced_write(kb: KnowledgeBase, *, option: str | None) -> str:
    """Return where a record went and why, if the current repository may hold records too; else "".

    A branch from before `calmkb init`, or a revert, removes the settings and leaves the records:
    each write then goes to the wrong place.
    """
    environment = kb.environment
    found = find_root(
        option=option, env=environment.env, cwd=environment.cwd, home=environment.home
    )
    if option or environment.env.get("CALMKB_KB") or not kb.is_personal or found != kb.root:
        return ""
    repository = find_repository(environment.cwd)
    if repository is None or repository.top == environment.home:
        return ""
    if not _holds_records(repository):
        # Asking the remote would make every wrap-up wait for a network.
        return _UNKNOWN if repository.remotes() else ""
    branch = (repository.attached_branch() or "a detached HEAD").removeprefix("refs/heads/")
    return (
        f"this went into {kb.root}, not into {repository.top}: that repository holds records, but "
        f"{branch} has no {CONFIG_NAME}. Bring the file back (git checkout BRANCH -- "
        f"{CONFIG_NAME}), or name the knowledge base with --kb or CALMKB_KB"
    )


def _holds_records(repository: Repository) -> bool:
    """Look for a journal in the work tree, for traces of one, and on the remote's branch."""
    journal = repository.top / "journal"
    traces = (journal / "sessions", journal / "memories", repository.git_dir / "calmkb")
    shared = f"origin/HEAD:{CONFIG_NAME}"
    return any(map(Path.exists, traces)) or repository.git.ask("cat-file", "-e", shared) is not None
