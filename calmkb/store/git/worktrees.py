"""The linked work trees of repositories, also those whose folders were deleted."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

_LIMIT = 2_000
"""Folders that are looked into beside a missing one."""


def linked_worktrees(common_dir: Path) -> Iterator[Path]:
    """Yield the folders that a repository has, or had, linked work trees in."""
    for mark in sorted(common_dir.glob("worktrees/*/gitdir")):
        try:
            place = Path(mark.read_text(encoding="utf-8").strip())
        except (OSError, ValueError):
            continue
        if place.name == ".git" and place.is_absolute():
            yield place.parent


def repository_with_worktree(folder: Path) -> Path | None:
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
