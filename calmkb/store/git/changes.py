"""What a commit that is being made, or a branch, changes: each file's text before and after."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from calmkb.store.git.repository import Repository, ask_git, run_git
from calmkb.store.git.trees import texts_of


@dataclass(frozen=True, slots=True)
class ChangedFile:
    """A file that is there afterwards: its path from the top, and its texts, "" where binary."""

    path: str
    before: str
    after: str


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
