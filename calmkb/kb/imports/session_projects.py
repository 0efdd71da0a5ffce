"""The project of sessions that are over: their folders may be gone, or on another machine."""

import contextlib
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import islice
from pathlib import Path

from calmkb.errors import StoreError
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.base.projects import Project, project_of, repository_at
from calmkb.model import name_in_path
from calmkb.store.git.identity import RepositoryIdentity, identify, remote_identity
from calmkb.store.git.repository import Repository, find_repository
from calmkb.system.git_files import linked_worktrees

_LIMIT = 2_000  # folders that are looked into beside a missing one


class SessionProjects:
    """Finds the project of sessions; each folder is looked at once."""

    def __init__(self, kb: KnowledgeBase) -> None:
        self._kb = kb
        self._repositories: dict[str, Repository | None] = {}
        self._tokens: dict[Path, str] = {}

    def project(self, folders: Sequence[str], remote: str = "") -> Project:
        """Return the project by the first folder that is in a repository, else by its remote.

        Without either, a folder is a project of its own.
        """
        for repository in self._in(folders):
            return project_of(self._kb, repository)
        if found := self._remote(remote):
            named = self._kb.config.project if found.key.casefold() in self.own else ""
            return Project(named or found.name, found.key)
        first = folders[0] if folders else ""
        with contextlib.suppress(OSError, StoreError):
            if Path(first).is_absolute() and Path(first).is_dir():
                return self._kb.at(Path(first)).project
        return Project(name_in_path(first, user=self._kb.environment.user))

    def is_own(self, folders: Sequence[str], remote: str = "") -> bool:
        """Say whether a session is of the knowledge base's repository, or of the current folder's.

        A knowledge base that lies beside repositories takes the sessions of the one it is asked in.
        """
        for repository in self._in(folders):
            return self._token(repository) in self.own
        found = self._remote(remote)
        return found is not None and found.key.casefold() in self.own

    def is_of_another(self, folder: str) -> bool:
        """Say whether a folder is in a repository that is here and another one."""
        repository = self._repository(folder) if folder else None
        return repository is not None and self._token(repository) not in self.own

    @cached_property
    def own(self) -> frozenset[str]:
        """What marks the repositories whose sessions are the knowledge base's own."""
        return frozenset(self._token(one) for one in self._own_repositories)

    @cached_property
    def own_folders(self) -> tuple[Path, ...]:
        """The folders of those repositories: work trees, also such as were deleted."""
        tops = [one.top for one in self._own_repositories]
        shared = [one.common_dir.resolve() for one in self._own_repositories]
        tops += [place.parent for place in shared if place.name == ".git"]
        return (*tops, *(place for one in shared for place in linked_worktrees(one)))

    @cached_property
    def _own_repositories(self) -> tuple[Repository, ...]:
        environment = self._kb.environment
        found = (repository_at(folder, environment) for folder in (self._kb.root, environment.cwd))
        return tuple(one for one in found if one is not None)

    def _in(self, folders: Sequence[str]) -> Iterator[Repository]:
        for folder in folders:
            if repository := self._repository(folder):
                yield repository

    def _token(self, repository: Repository) -> str:
        place = repository.common_dir.resolve()
        if place not in self._tokens:
            self._tokens[place] = identify(repository).key.casefold() or str(place)
        return self._tokens[place]

    def _repository(self, folder: str) -> Repository | None:
        if folder not in self._repositories:
            place = Path(folder)
            usable = place.is_absolute() and "\0" not in folder
            self._repositories[folder] = None
            # A session's folder may be closed to its reader, or in a repository that git refuses.
            with contextlib.suppress(OSError, StoreError):
                self._repositories[folder] = self._look_up(place) if usable else None
        return self._repositories[folder]

    def _look_up(self, folder: Path) -> Repository | None:
        """Return the repository around a folder, or around what is left of where it was."""
        if folder.is_dir():
            return repository_at(folder, self._kb.environment)
        for one in self._own_repositories:
            if _holds(one.common_dir.resolve(), folder):
                return one
        if linked := _repository_with_worktree(folder):
            return find_repository(linked)
        left = next((above for above in folder.parents if above.is_dir()), folder)
        return repository_at(left, self._kb.environment)

    def _remote(self, url: str) -> RepositoryIdentity | None:
        return remote_identity(url) if url else None


def _repository_with_worktree(folder: Path) -> Path | None:
    """Return the work tree of a repository beside `folder`, or above, that it was linked to."""
    for above in folder.parents:
        if not above.is_dir():
            continue
        for git_dir in islice(above.glob("*/.git"), _LIMIT):
            if git_dir.is_dir() and _holds(git_dir, folder):
                return git_dir.parent
        return None
    return None


def _holds(git_dir: Path, folder: Path) -> bool:
    return any(folder.is_relative_to(linked) for linked in linked_worktrees(git_dir))
