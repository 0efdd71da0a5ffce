"""Which project a folder belongs to: a project is a repository, whatever its folder is called."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from calmkb.kb.base.environment import Environment
from calmkb.store.git.identity import folder_name, identify
from calmkb.store.git.repository import Repository, find_repository, repository_named
from calmkb.system.journal_place import journal_of

if TYPE_CHECKING:
    from calmkb.kb.base.knowledge_base import KnowledgeBase


@dataclass(frozen=True, slots=True)
class Project:
    """A project's name, and the repository that it is: both empty where there is none."""

    name: str = ""
    repository: str = ""


def project_at(kb: "KnowledgeBase", folder: Path) -> Project:
    """Return the project that `folder` belongs to.

    It is the repository around it, by its configured name or else its remote's. A folder outside
    any is a project of its own; a home, a root directory and a folder called as the user are none.
    """
    repository = repository_at(folder, kb.environment)
    if repository is not None:
        return project_of(kb, repository)
    if kb.config.project and folder == kb.root:
        return Project(kb.config.project)
    is_login = folder.name.casefold() in ("", kb.environment.user.casefold())
    return Project("" if is_login or _is_home(folder, kb.environment) else folder.name)


def repository_at(folder: Path, environment: Environment) -> Repository | None:
    """Return the repository around a folder; a home that is one holds dotfiles, and is none."""
    repository = repository_named(folder)
    return None if repository is None or _is_home(repository.top, environment) else repository


def project_of(kb: "KnowledgeBase", repository: Repository) -> Project:
    """Return the project that a repository is: the one around `kb` by its configured name."""
    known = identify(repository)
    if kb.config.project and (
        is_same(repository, kb.root) or journal_of(repository.top, kb.environment.home) == kb.root
    ):
        return Project(kb.config.project, known.key)
    return Project(known.name or folder_name(repository), known.key)


def is_same(repository: Repository, folder: Path) -> bool:
    """Say whether a repository is the one around `folder`, in another work tree or clone too."""
    other = find_repository(folder) if folder.is_dir() else None
    if other is None:
        return False
    if other.common_dir.resolve() == repository.common_dir.resolve():
        return True
    key = identify(repository).key
    return bool(key) and identify(other).key.casefold() == key.casefold()


def _is_home(folder: Path, environment: Environment) -> bool:
    return folder.resolve() == environment.home.resolve()
