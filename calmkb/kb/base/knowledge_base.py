"""A knowledge base: its folder, its settings, and what is read and written through it.

Every list and search starts here: what they do not need is imported where it is used. The filter
costs thirty milliseconds, the writer twenty-five, the others three together.
"""

import os
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from calmkb.config import DEFAULT_ROOT, Config, find_root, load_config
from calmkb.errors import StoreError
from calmkb.kb.base.environment import Environment
from calmkb.system.journal_place import is_checked_out, is_journal_branch

if TYPE_CHECKING:
    from calmkb.kb.base.projects import Project
    from calmkb.model import Place, Problem, Record
    from calmkb.redact import Redactor
    from calmkb.store.commits.commit import Commit
    from calmkb.store.git.repository import Repository
    from calmkb.store.index.index import Index

    T = TypeVar("T")


@dataclass(frozen=True)
class KnowledgeBase:
    """The folder `root`, its settings, and the environment; `made` where this call made it.

    `noted` gathers the problems of what was read through it; read them as `problems`. What it
    knows of the current folder is found once, when first asked for.
    """

    root: Path
    config: Config
    environment: Environment
    made: bool = False
    folders: tuple[Path, ...] = ()
    noted: "dict[Problem, None]" = field(default_factory=dict, compare=False, repr=False)

    @property
    def journal(self) -> Path:
        """The folder that holds the records."""
        return self.root / self.config.journal

    @property
    def problems(self) -> "tuple[Problem, ...]":
        """The files that could not be read so far, in the order they were met."""
        return tuple(self.noted)

    def note(self, problems: "Iterable[Problem]") -> None:
        """Keep what could not be read, each once, for the face that shows the result."""
        self.noted.update(dict.fromkeys(problems))

    @property
    def is_personal(self) -> bool:
        """Whether it is the one below the home, which is about every project."""
        return self.root == self.environment.home / DEFAULT_ROOT

    @property
    def repository_if_any(self) -> "Repository | None":
        """The repository around `root`, or None."""
        from calmkb.store.git.repository import find_repository

        return find_repository(self.root) if self.root.is_dir() else None

    @cached_property
    def repository(self) -> "Repository":
        """The repository around `root`; StoreError where there is none."""
        found = self.repository_if_any
        if found is None:
            from shlex import quote

            raise StoreError(
                f"{self.root} is not in a git repository; run: calmkb init {quote(str(self.root))}"
            )
        return found

    def at(self, folder: Path) -> "KnowledgeBase":
        """Return it as opened in another folder; its filter still knows the one before.

        A relative one, which a transcript may have, is below the current folder; "" is that folder.
        """
        folder = self.environment.cwd / folder
        if folder == self.environment.cwd:
            return self
        known = (*self.folders, self.environment.cwd)
        return replace(self, environment=replace(self.environment, cwd=folder), folders=known)

    @cached_property
    def redactor(self) -> "Redactor":
        """The filter for texts that speak of this machine and of work here and in `folders`."""
        from calmkb.kb.base.filtering import approved_patterns
        from calmkb.redact import Redactor

        environment = self.environment
        where = (self.root, *self.folders, environment.cwd)
        places = [place for folder in where if (place := self.at(folder).place)]
        return Redactor(
            home=environment.home,
            places=list({place.folder: place for place in places}.values()),
            user=environment.user,
            host=environment.host,
            allow=approved_patterns(self),
        )

    @cached_property
    def place(self) -> "Place | None":
        """The repository around the current folder and its project, or None outside any."""
        from calmkb.model import Place
        from calmkb.store.git.repository import repository_named

        found = repository_named(self.environment.cwd)
        if found is None or found.top == self.environment.home:
            return None
        return Place(str(found.top), self.at(found.top).project.name)

    @cached_property
    def project(self) -> "Project":
        """The project of the current folder: its repository's, if it is in one."""
        from calmkb.kb.base.projects import project_at

        return project_at(self, self.environment.cwd)

    @cached_property
    def agent_folder(self) -> Path:
        """Where the agent works that a digest is for."""
        from calmkb.kb.base.agent_folder import agent_folder

        return agent_folder(self)

    def save(
        self,
        files: Mapping[str, bytes | None],
        message: str,
        at: datetime | None = None,
        *,
        expected: Mapping[str, str] | None = None,
        repeated: bool = False,
    ) -> "Commit":
        """Commit `files` (paths below the journal folder) in one act, as of now or `at`.

        StoreError where the last commit holds something else than `expected` (path → blob id).
        `repeated` files that are committed already are not committed again.
        """
        from calmkb.kb.text import inert_message
        from calmkb.store.commits.commit import Change, commit

        prefix = self.prefix
        placed = {f"{prefix}/{path}": data for path, data in files.items()}
        known = {f"{prefix}/{path}": blob for path, blob in (expected or {}).items()}
        at = at or self.environment.now()
        done = commit(self.repository, Change(placed, inert_message(message), at, known, repeated))
        # Remember what may reach an agent without a further question: it was written here.
        if any(b"needs_continuation" in (data or b"") or path.startswith("memories/")
               for path, data in files.items()):  # fmt: skip
            from calmkb.kb.base.own_records import note_own_records

            note_own_records(self, files)
        return done

    def save_record(self, record: "Record", message: str) -> "Commit":
        """Commit a new record, as of its own time."""
        from calmkb.documents import record_path, render

        return self.save({record_path(record): render(record).encode()}, message, record.created_at)

    def catch_up(self) -> None:
        """Commit what killed commands left waiting: call it before reading what decides a write."""
        repository = self.repository_if_any
        if repository and (repository.git_dir / "calmkb").is_dir():
            from calmkb.store.commits.commit import land_waiting

            land_waiting(repository)

    def with_index(self, ask: "Callable[[Index], T]", *, look_at_all: bool = False) -> "T":
        """Return what `ask` finds in the index of the journal, brought up to date."""
        from calmkb.store.index.index import with_index

        notice, report = self._restored, partial(self.environment.report, "Reading records")
        return with_index(self.journal, ask, look_at_all=look_at_all, notice=notice, report=report)

    @cached_property
    def _restored(self) -> str:
        """What was just restored, or "": a command finishes once what a killed writer left."""
        from calmkb.store.index.index import finish_interrupted

        return finish_interrupted(self.journal)

    @property
    def prefix(self) -> str:
        """The journal folder as seen from the top of the repository."""
        top = Path(os.path.realpath(self.repository.top))
        folder = Path(os.path.realpath(self.root)) / self.config.journal
        return folder.relative_to(top).as_posix()

    def reviewer(self) -> str:
        """Return who approves here: the address that git knows, else the name.

        StoreError where there is no knowledge base yet and git knows nobody.
        """
        try:
            name, email = self.repository.identity()
        except StoreError:
            from calmkb.store.git.authorship import configured_address

            # The first write makes the repository, and its commit has this address.
            if address := configured_address(self.environment.home):
                return address
            raise
        return email or name


def close_git() -> None:
    """Let go of git: at the end of each command, and of each call of a server."""
    if store := sys.modules.get("calmkb.store.git.repository"):
        store.close_repositories()


def open_kb(environment: Environment, *, option: str | None = None) -> KnowledgeBase:
    """Return the knowledge base that `option`, the environment or the folder points to.

    It need not exist: reading one that does not finds nothing. A journal on a branch that came
    with a clone is checked out. Raises ConfigError on bad settings.
    """
    root = find_root(option=option, env=environment.env, cwd=environment.cwd, home=environment.home)
    if is_journal_branch(root) and not is_checked_out(root):
        from calmkb.store.git.journal_branch import attach_journal

        if not attach_journal(root.parents[1]):
            root = environment.home / DEFAULT_ROOT
    return KnowledgeBase(root, load_config(root), environment)


def require_made(kb: KnowledgeBase) -> None:
    """Raise StoreError where `kb` does not exist and is not the one that a first write makes."""
    if not kb.root.is_dir() and not kb.is_personal:
        from shlex import quote

        raise StoreError(
            f"there is no knowledge base at {kb.root}; run: calmkb init {quote(str(kb.root))}"
        )
