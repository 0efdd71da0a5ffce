"""Git directories found by their files alone: asking git costs three milliseconds a time."""

import os
from collections.abc import Iterator
from pathlib import Path


def git_dir_at(top: Path) -> Path | None:
    """Return the git directory of the work tree `top`, or None where it is no work tree's top.

    A linked worktree and a submodule have a file that names it.
    """
    mark = top / ".git"
    if mark.is_dir():
        return mark
    named = text_of(mark).partition("gitdir:")[2].strip()
    return top / named if named else None


def common_dir(git_dir: Path) -> Path:
    """Return the git directory that a linked worktree shares with the others: refs live there."""
    return Path(os.path.normpath(git_dir / text_of(git_dir / "commondir").rstrip("\n")))


def text_of(path: Path) -> str:
    """Return the text of a small file, nothing where it is not there or no text."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, ValueError):
        return ""


def linked_worktrees(shared: Path) -> Iterator[Path]:
    """Yield the folders that a git directory has, or had, linked work trees in."""
    for mark in sorted(shared.glob("worktrees/*/gitdir")):
        place = Path(text_of(mark).strip())
        if place.name == ".git" and place.is_absolute():
            yield place.parent
