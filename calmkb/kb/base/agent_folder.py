"""Where the agent works that a digest is for; light, for the start of a session asks it."""

from pathlib import Path
from typing import TYPE_CHECKING

from calmkb.errors import ExportError
from calmkb.kb.base.environment import Environment
from calmkb.store.git.repository import find_repository
from calmkb.system.journal_place import is_journal_branch, journal_of

if TYPE_CHECKING:
    from calmkb.kb.base.knowledge_base import KnowledgeBase


def project_folder(environment: Environment) -> Path:
    """Return the top of the repository around the working folder, else that folder."""
    repository = find_repository(environment.cwd)
    return repository.top if repository else environment.cwd


def agent_folder(kb: "KnowledgeBase") -> Path:
    """Return where the agent works: the folder of the knowledge base.

    For the personal one of the state folder, the repository (or folder) that one works in. For a
    journal on a branch of its own or beside the code, the work tree that one works in, whose
    journal it is. Raises ExportError where a bare repository has none.
    """
    cwd, home = kb.environment.cwd, kb.environment.home
    if kb.is_personal:
        return project_folder(kb.environment)
    above = (one for one in (cwd, *cwd.parents) if one != kb.root)
    top = next((one for one in above if journal_of(one, home) == kb.root), None)
    if top is not None or not is_journal_branch(kb.root):
        return top or kb.root
    git_dir = kb.root.parents[1]
    if git_dir.name != ".git":
        raise ExportError(f"{git_dir} has no work tree of its own; go into the one you work in")
    return git_dir.parent
