"""Commits by name, by the file or by the line that is from them."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from calmkb.errors import GitFailedError
from calmkb.store.git.repository import Repository
from calmkb.store.git.trees import named

_FORMAT = (
    "%H%x00%ae%x00%at%x00%s%x00"
    "%(trailers:key=Calm-Session,valueonly,separator=%x20)%x00"
    "%(trailers:key=Calm-Entry,valueonly,separator=%x20)"
)
_HASH = re.compile(r"[0-9a-f]{7,64}\Z")


@dataclass(frozen=True, slots=True)
class NamedCommit:
    """A commit; `sessions` and `entries` are what its trailers Calm-Session and Calm-Entry name."""

    id: str
    email: str
    authored: str
    subject: str
    sessions: tuple[str, ...]
    entries: tuple[str, ...]

    @property
    def origin(self) -> tuple[str, str, str]:
        """What a rebase or a cherry-pick leaves as it was."""
        return self.email, self.authored, self.subject


def named_commit(repository: Repository, name: str) -> NamedCommit | None:
    """Return the commit that a person calls `name`, or None."""
    found = named(repository, name)
    return next(iter(named_commits(repository, [found])), None) if found else None


def named_commits(repository: Repository, ids: Iterable[str]) -> list[NamedCommit]:
    """Return those of the commits that are in the repository; an id may be abbreviated."""
    wanted = [one for one in dict.fromkeys(ids) if _HASH.match(one)]
    if not wanted:
        return []
    asked = ("--no-walk=unsorted", "--ignore-missing", f"--format={_FORMAT}", *wanted, "--")
    try:
        found = repository.git.log(*asked, stdout_as_string=False)
    except GitFailedError:  # an abbreviation that fits two objects
        return []
    lines = found.decode(errors="replace").split("\n")
    return [_commit(line.split("\0")) for line in lines if line]


def _commit(fields: list[str]) -> NamedCommit:
    identity, email, authored, subject, sessions, entries = fields
    split = sessions.split(), entries.split()
    return NamedCommit(identity, email, authored, subject, tuple(split[0]), tuple(split[1]))


@dataclass(frozen=True)
class LineOrigin:
    """The commit that a line is from, the file's path at that time, and the line's text."""

    commit: str
    path: str
    text: str


def line_origins(
    repository: Repository, path: str, commit: str = "HEAD", *, only: int | None = None
) -> list[LineOrigin]:
    """Return where each line of a committed file is from, or `only` one; nothing where it is not.

    A commit is asked, not the work tree: a filter of the repository would run.
    """
    asked = ["--line-porcelain", *([f"-L{only},{only}"] if only else []), commit, "--", path]
    try:
        found = repository.git.blame(*asked, stdout_as_string=False).decode(errors="replace")
    except GitFailedError:
        return []
    origins, current, name = [], "", path
    for row in found.split("\n"):
        if row.startswith("\t"):
            origins.append(LineOrigin(current, name, row[1:]))
            current = ""
        elif not current:
            current = row.partition(" ")[0]
        elif row.startswith("filename "):
            name = row.removeprefix("filename ")
    return origins
