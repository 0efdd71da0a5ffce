"""Which project a folder belongs to: a project is a repository, whatever its folder is called."""

from dataclasses import dataclass
from pathlib import Path

from calmkb.kb.base.environment import Environment
from calmkb.store.git.identity import folder_name, identify
from calmkb.store.git.repository import Repository, find_repository, repository_named
from calmkb.system.journal_place import journal_of


@dataclass(frozen=True, slots=True)
class Project:
    """A project's name, and the repository that it is: both empty where there is none."""

    name: str = ""
    repository: str = ""


@dataclass(frozen=True, slots=True)
class Own:
    """A knowledge base's folder, and the name that its settings give the repository around it.

    `home` is the person's, where it is noted which folder is the journal of a repository.
    """

    root: Path
    configured: str
    home: Path


def project_at(folder: Path, own: Own, environment: Environment) -> Project:
    """Return the project that `folder` belongs to.

    It is the repository around it, by its configured name or else its remote's. A folder outside
    any is a project of its own; a home, a root directory and a folder called as the user are none.
    """
    repository = repository_at(folder, environment)
    if repository is not None:
        return project_of(repository, own)
    if own.configured and folder == own.root:
        return Project(own.configured)
    is_login = folder.name.casefold() in ("", environment.user.casefold())
    return Project("" if is_login or _is_home(folder, environment) else folder.name)


def repository_at(folder: Path, environment: Environment) -> Repository | None:
    """Return the repository around a folder; a home that is one holds dotfiles, and is none."""
    repository = repository_named(folder)
    return None if repository is None or _is_home(repository.top, environment) else repository


def project_of(repository: Repository, own: Own) -> Project:
    """Return the project that a repository is."""
    known = identify(repository)
    if own.configured and (
        is_same(repository, own.root) or journal_of(repository.top, own.home) == own.root
    ):
        return Project(own.configured, known.key)
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
