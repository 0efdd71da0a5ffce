"""Files as git holds them: which commits wrote, moved or removed one."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from calmkb.errors import GitFailedError
from calmkb.store.git.repository import Repository
from calmkb.store.git.trees import tree_entries

_HEAD = "%an%x00%ae%x00%aI%x00%H%x00%s"
_FIELDS = 5
_RAW = ("-z", "--raw", "--no-abbrev", "--no-renames", f"--format={_HEAD}")


@dataclass(frozen=True, slots=True)
class Touched:
    """One path in one commit; `blob` is the content's id after it, "" where it was removed."""

    path: str
    blob: str


@dataclass(frozen=True, slots=True)
class CommitSeen:
    """A commit and the paths asked for that it touched; `at` is when its author wrote it."""

    name: str
    email: str
    at: datetime
    id: str
    subject: str
    touched: tuple[Touched, ...]


def commits_of(repository: Repository, paths: Sequence[str], *options: str) -> list[CommitSeen]:
    """Return the commits of the branch that touched `paths`, oldest first; `options` narrow it."""
    try:
        return list(read_log(repository, "--full-history", "--reverse", *options, "--", *paths))
    except GitFailedError:
        if repository.tip("HEAD") is None:
            return []
        raise


def paths_then(repository: Repository, folder: str, moment: datetime) -> frozenset[str]:
    """Return the files below `folder`, by path from the top, that were committed at a moment."""
    asked = ("-1", f"--before={int(moment.timestamp())}", "HEAD")
    commit = repository.git.ask("rev-list", *asked)
    return frozenset(tree_entries(repository, commit, folder)) if commit else frozenset()


def read_log(repository: Repository, *asked: str) -> Iterator[CommitSeen]:
    """Yield the commits that `git log` of these arguments lists, and the paths each touched.

    NUL ends each field: five of the commit, then pairs of what changed and a path.
    """
    git = repository.git(literal_pathspecs=True)
    parts = git.log(*_RAW, *asked, stdout_as_string=False).decode(errors="replace").split("\0")
    place = 0
    while place + _FIELDS <= len(parts):
        name, email, at, whole, subject = parts[place : place + _FIELDS]
        place += _FIELDS
        touched = []
        while place + 1 < len(parts) and parts[place].lstrip("\n").startswith(":"):
            after = parts[place].lstrip("\n").split(" ")[3]
            touched.append(Touched(parts[place + 1], after if after.strip("0") else ""))
            place += 2
        yield CommitSeen(name, email, _moment(at), whole[:10], subject, tuple(touched))


def _moment(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text)
    except ValueError:  # anybody can write a commit of the year 10,000
        return datetime.fromtimestamp(0, UTC)
