"""Files as git holds them: which commits wrote, moved or removed one, what a branch changes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from calmkb.errors import GitFailedError
from calmkb.store.git.repository import Repository
from calmkb.store.git.trees import names_in, texts_of

_HEAD = "%H%x00%an%x00%ae%x00%aI%x00%s"
_FIELDS = 5
_RAW = ("-z", "--raw", "--no-abbrev", "--no-renames", f"--format={_HEAD}")


@dataclass(frozen=True, slots=True)
class ChangedFile:
    """A file that is there afterwards: its path from the top, and its texts, "" where binary."""

    path: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Touched:
    """One path in one commit; `blob` is the content's id after it, "" where it was removed."""

    path: str
    blob: str
    before: str


@dataclass(frozen=True, slots=True)
class CommitSeen:
    """A commit and the paths asked for that it touched; `at` is when its author wrote it."""

    id: str
    name: str
    email: str
    at: datetime
    subject: str
    touched: tuple[Touched, ...]


def commits_of(
    repository: Repository, paths: Sequence[str], *, removing: bool = False
) -> list[CommitSeen]:
    """Return the commits of the branch that touched `paths`, oldest first, or removed a file."""
    narrowed = ["--diff-filter=D"] if removing else []
    try:
        return list(read_log(repository, "--full-history", "--reverse", *narrowed, "--", *paths))
    except GitFailedError:
        if repository.tip("HEAD") is None:
            return []
        raise


def read_log(repository: Repository, *asked: str) -> Iterator[CommitSeen]:
    """Yield the commits that `git log` of these arguments lists, and the paths each touched.

    NUL ends each field: five of the commit, then pairs of what changed and a path.
    """
    git = repository.git(literal_pathspecs=True)
    parts = git.log(*_RAW, *asked, stdout_as_string=False).decode(errors="replace").split("\0")
    place = 0
    while place + _FIELDS <= len(parts):
        commit, name, email, at, subject = parts[place : place + _FIELDS]
        place += _FIELDS
        touched = []
        while place + 1 < len(parts) and parts[place].lstrip("\n").startswith(":"):
            _, _, before, after, _ = parts[place].lstrip("\n").split(" ")
            touched.append(Touched(parts[place + 1], _blob(after), _blob(before)))
            place += 2
        yield CommitSeen(commit, name, email, _moment(at), subject, tuple(touched))


def _moment(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text)
    except ValueError:  # anybody can write a commit of the year 10,000
        return datetime.fromtimestamp(0, UTC)


def _blob(name: str) -> str:
    return name if name.strip("0") else ""


def staged_files(repository: Repository) -> Iterator[ChangedFile]:
    """Yield what the next commit would change."""
    base = repository.tip("HEAD") or empty_tree(repository)
    return _changed(repository, base, ["--cached", base], "")


def files_since(repository: Repository, commit: str) -> Iterator[ChangedFile]:
    """Yield what HEAD changes since it left the history of `commit`."""
    base = repository.git.ask("merge-base", commit, "HEAD") or commit
    return _changed(repository, base, [base, "HEAD"], "HEAD")


def _changed(
    repository: Repository, base: str, between: Sequence[str], after: str
) -> Iterator[ChangedFile]:
    asked = ("--name-only", "-z", "--no-renames", "--diff-filter=d", *between, "--")
    paths = names_in(repository.git.diff(*asked))
    old, new = texts_of(repository, base, paths), texts_of(repository, after, paths)
    return (ChangedFile(path, old.get(path, ""), new.get(path, "")) for path in paths)


def empty_tree(repository: Repository) -> str:
    """Return the tree without files, which git has from now on."""
    return repository.git.mktree(istream=b"")
