"""Where the agent works that a digest is for; light, for the start of a session asks it."""

from pathlib import Path

from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.store.git.repository import find_repository


def agent_folder(kb: KnowledgeBase) -> Path:
    """Return where the agent works: the folder of the knowledge base.

    For the personal one of the state folder, the repository (or folder) that one works in.
    """
    if kb.root != kb.environment.home / ".calm" / "kb":
        return kb.root
    repository = find_repository(kb.environment.cwd)
    return repository.top if repository else kb.environment.cwd
