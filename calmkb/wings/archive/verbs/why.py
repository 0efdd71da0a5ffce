"""`why`: from a line to its commit, to the session that made it, to the words that decided it."""

import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

from calmkb.errors import NotFoundError, StoreError
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.journal.session_commits import session_of
from calmkb.kb.journal.sessions import read_memories
from calmkb.model import Memory, SessionView
from calmkb.model.sessions.kept import IndexedSession, Moment, SessionFound
from calmkb.store.git.named_commits import NamedCommit, line_origins, named_commits
from calmkb.store.git.repository import Repository, find_repository
from calmkb.wings.archive.kept.archive import Archive
from calmkb.wings.archive.turns.sessions import (
    sessions_named,
    sessions_naming,
    sessions_with_commits,
    turns_beside,
    turns_naming,
)
from calmkb.wings.archive.verbs.place import archive_of, current_index

_COMMITS, _MOMENTS, _SHORTEST = 10, 3, 7
_LEAST = 6
"""Letters and digits of a line that tells which change it came with: a brace tells nothing."""


@dataclass(frozen=True, slots=True)
class Reason:
    """A commit, the entry of the session that made it, and the turns that decided it, if known."""

    commit: NamedCommit
    entry: SessionView | None = None
    session: SessionFound | None = None


@dataclass(frozen=True, slots=True)
class Why:
    """What is known of a file, or of one `line` of it, whose `text` is as it is committed.

    `others` are kept sessions that named the file without a commit that is known; `looked` tells
    whether any are kept.
    """

    path: str
    line: int
    text: str
    reasons: tuple[Reason, ...]
    others: tuple[SessionFound, ...]
    memories: tuple[Memory, ...]
    looked: bool


def why(kb: KnowledgeBase, file: Path, line: int = 0) -> Why:
    """Return the commits of a file or a line, and what their sessions said.

    Raises NotFoundError where git does not know the file or the line.
    """
    place = kb.environment.cwd / file
    repository = find_repository(place.parent) if place.parent.is_dir() else None
    if repository is None:
        raise StoreError(f"{file} is in no git repository; name a file of one")
    path, text = _path_in(repository, place), ""
    if line:
        origins = line_origins(repository, path, only=line)
        if not origins:
            raise NotFoundError(f"{path} has no line {line} in the last commit")
        ids, text = [origins[0].commit], origins[0].text
    else:
        ids = _commits_of_file(repository, path, _COMMITS)
    commits = named_commits(repository, ids)
    archive = archive_of(kb.environment)
    if archive.folder.is_dir():
        with current_index(kb.environment, archive) as db:
            look = _Look(kb, repository, archive, db, path, text)
            reasons = tuple(look.reason(one) for one in commits)
            others = () if any(one.session for one in reasons) else tuple(look.others())
    else:
        reasons = tuple(Reason(one, _entry(kb, one)) for one in commits)
        others = ()
    memories = tuple(one for one in read_memories(kb) if _is_about(one, path))
    return Why(path, line, text.strip(), reasons, others, memories, archive.folder.is_dir())


@dataclass(frozen=True)
class _Look:
    """Looks for what the kept sessions say of one file."""

    kb: KnowledgeBase
    repository: Repository
    archive: Archive
    db: sqlite3.Connection
    path: str
    text: str

    def reason(self, commit: NamedCommit) -> Reason:
        """Return what is known of a commit."""
        entry = _entry(self.kb, commit)
        rows = self._rows(commit, entry)
        found = (one for row in rows if (one := self._moments(row, told=True)))
        return Reason(commit, entry, next(found, None))

    def others(self) -> Iterator[SessionFound]:
        """Yield kept sessions of the repository that changed the file."""
        key = self.kb.at(self.repository.top).project
        for row in sessions_naming(self.db, self.path):
            own = row.repository == key.repository.casefold() or row.project == key.name.casefold()
            if own and (found := self._moments(row, told=False)):
                yield found

    def _rows(self, commit: NamedCommit, entry: SessionView | None) -> list[IndexedSession]:
        """Return the kept sessions that made a commit, also where it was rebased since."""
        made = sessions_with_commits(self.db)
        found = [row for row in made if any(_same(commit.id, one) for one in row.commits.split())]
        if not found:
            named = {*commit.sessions, *([entry.entry.session_id] if entry else [])} - {""}
            found = [row for name in sorted(named) for row in sessions_named(self.db, name)]
        if not found:
            ids = {one: row for row in made for one in row.commits.split()}
            rebased = named_commits(self.repository, ids)
            same = [one for one in rebased if one.origin == commit.origin]
            found = [row for one in same for made, row in ids.items() if _same(one.id, made)]
        return found

    def _moments(self, row: IndexedSession, *, told: bool) -> SessionFound | None:
        """Return the turns that changed the file, those with the line before others.

        A session that is `told` by its commit is shown by the turns that name the file at least.
        """
        turns = turns_naming(self.archive, self.db, row, self.path)
        changed = [one for one in turns if one[0].change]
        text = self.text.strip()
        if sum(map(str.isalnum, text)) < _LEAST:
            changed = changed if told or not self.text else []
        else:
            with_line = [one for one in changed if f"+ {text}" in _stripped(one[0].change)]
            changed = with_line or (changed if told else [])
        chosen = changed or (turns if told else [])
        moments = []
        for turn, place in chosen[:_MOMENTS]:
            shown = turns_beside(self.archive, self.db, row, turn.line, place)
            moments.append(Moment(turn.line, 1.0, shown))
        return SessionFound(row, tuple(moments), 1.0) if moments else None


def _stripped(change: str) -> str:
    """Return a change without the indentation of its lines."""
    return "\n".join(f"{line[:1]} {line[1:].strip()}" for line in change.split("\n"))


def _entry(kb: KnowledgeBase, commit: NamedCommit) -> SessionView | None:
    try:
        return session_of(kb, commit.id) if kb.journal.is_dir() else None
    except NotFoundError:
        return None


def _is_about(memory: Memory, path: str) -> bool:
    """Return whether a memory is anchored at a file, or names it."""
    globs: Sequence[str] = memory.paths
    if any(fnmatchcase(path, one) or fnmatchcase(path, one.removeprefix("**/")) for one in globs):
        return True
    return not globs and (path in memory.text or PurePosixPath(path).name in memory.text.split())


def _same(commit: str, made: str) -> bool:
    return len(made) >= _SHORTEST and commit.startswith(made)


def _commits_of_file(repository: Repository, path: str, most: int) -> list[str]:
    """Return the commits that changed a file, the newest first, also under former names.

    NotFoundError where git has no such file.
    """
    found = repository.git.ask("log", "--follow", "--format=%H", f"-{most}", "HEAD", "--", path)
    if not found:
        raise NotFoundError(f"git knows no commit of {path}; name a file that is committed")
    return found.split("\n")


def _path_in(repository: Repository, file: Path) -> str:
    """Return a file's path from the top of the repository; NotFoundError where it is outside."""
    try:
        return file.resolve().relative_to(repository.top.resolve()).as_posix()
    except ValueError:
        raise NotFoundError(f"{file} is not in the repository {repository.top}") from None
