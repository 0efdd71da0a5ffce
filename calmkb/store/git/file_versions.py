"""Files as git holds them: which commits wrote, moved or removed one, what a branch changes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from calmkb.store.git.repository import Repository
from calmkb.store.git.run import GitFailedError, ask_git, run_git
from calmkb.store.git.trees import texts_of

_HEAD = "%H%x00%an%x00%ae%x00%aI%x00%s"
_FIELDS = 5
_LOG = (
    *("-c", "log.showSignature=false", "--literal-pathspecs", "log", "-z", "--raw", "--no-abbrev"),
    *(
        "--no-renames",
        "--no-ext-diff",
        "--no-textconv",
        "--full-history",
        "--reverse",
        f"--format={_HEAD}",
    ),
)


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
    repository: Repository, paths: Sequence[str], *, mentioning: str = "", removing: bool = False
) -> list[CommitSeen]:
    """Return the commits of the checked-out branch that touched `paths`, oldest first.

    `mentioning` keeps those that added or removed this text, `removing` those that removed a file.
    """
    narrowed = [f"-S{mentioning}"] if mentioning else []
    narrowed += ["--diff-filter=D"] if removing else []
    try:
        found = run_git([*_LOG, *narrowed, "--", *paths], cwd=repository.top)
    except GitFailedError:
        if repository.tip("HEAD") is None:
            return []
        raise
    return list(_commits(found.decode(errors="replace").split("\0")))


def _commits(parts: list[str]) -> Iterator[CommitSeen]:
    """Read the fields that NUL ends: five of the commit, then pairs of what changed and a path."""
    place = 0
    while place + _FIELDS <= len(parts):
        commit, name, email, at, subject = parts[place : place + _FIELDS]
        place += _FIELDS
        touched = []
        while place + 1 < len(parts) and parts[place].lstrip("\n").startswith(":"):
            _, _, before, after, _ = parts[place].lstrip("\n").split(" ")
            touched.append(Touched(parts[place + 1], _blob(after), _blob(before)))
            place += 2
        moment = datetime.fromisoformat(at)
        yield CommitSeen(commit, name, email, moment, subject, tuple(touched))


def _blob(name: str) -> str:
    return name if name.strip("0") else ""


def staged_files(repository: Repository) -> Iterator[ChangedFile]:
    """Yield what the next commit would change."""
    base = repository.tip("HEAD") or _empty_tree(repository)
    return _changed(repository, base, ["--cached", base], "")


def files_since(repository: Repository, commit: str) -> Iterator[ChangedFile]:
    """Yield what HEAD changes since it left the history of `commit`."""
    base = ask_git(["merge-base", commit, "HEAD"], cwd=repository.top) or commit
    return _changed(repository, base, [base, "HEAD"], "HEAD")


def _changed(
    repository: Repository, base: str, between: Sequence[str], after: str
) -> Iterator[ChangedFile]:
    asked = ["diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--diff-filter=d"]
    printed = run_git([*asked, *between, "--"], cwd=repository.top)
    paths = [one.decode(errors="surrogateescape") for one in printed.split(b"\0") if one]
    old, new = texts_of(repository, base, paths), texts_of(repository, after, paths)
    return (ChangedFile(path, old.get(path, ""), new.get(path, "")) for path in paths)


def _empty_tree(repository: Repository) -> str:
    return run_git(["mktree"], cwd=repository.top).decode().strip()
