"""Commits that are known by name: which of them are here, and who wrote what when."""

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
