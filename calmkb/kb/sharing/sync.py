"""`sync`: a knowledge base and its remote, brought together."""

import os
from pathlib import Path

from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.store.commits.commit import recover, write_lock
from calmkb.store.sharing.sync import Synced, sync

_LOCK_SECONDS = 60


def sync_kb(kb: KnowledgeBase) -> Synced:
    """Pull and push the records of `kb`; StoreError says what stood in the way."""
    repository = kb.repository
    top = Path(os.path.realpath(repository.top))
    root = Path(os.path.realpath(kb.root)).relative_to(top).as_posix()
    own = root == "." and kb.root == kb.environment.home / ".calm" / "kb"
    folder = "." if own or _is_all_ours(kb) else f"{root}/{kb.config.journal}".removeprefix("./")
    recover(repository)
    (repository.git_dir / "calmkb").mkdir(exist_ok=True)
    return sync(repository, folder, write_lock(repository, timeout=_LOCK_SECONDS))


def _is_all_ours(kb: KnowledgeBase) -> bool:
    """Tell whether the repository is the knowledge base's own, its configuration at the top."""
    return (kb.repository.top / "calmkb.toml").is_file() and kb.root.samefile(kb.repository.top)
