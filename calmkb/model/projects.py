"""The name of the project that a path tells, where nothing else does."""

import re

_PARTS = re.compile(r"[\\/]+")
# Claude Code keeps its own work trees in .claude/worktrees.
_WORKTREE = re.compile(r"(.+?)[\\/](?:\.claude[\\/]worktrees|\.?worktrees)[\\/][^\\/]")
_HOMES = re.compile(r"(?:~|/|/root|/home/[^/]+|/Users/[^/]+|[A-Za-z]:(?:\\Users\\[^\\]+)?)[\\/]*")


def name_in_path(folder: str, *, user: str = "") -> str:
    """Return the last part of a path, and of a work tree below its repository that one's name.

    Nothing for a home, a root directory, and a folder called as the user.
    """
    if _HOMES.fullmatch(folder):
        return ""
    name = next((part for part in reversed(_PARTS.split(_repository_of(folder))) if part), "")
    return "" if user and name.casefold() == user.casefold() else name


def recorded_project(name: str, repository: str, folder: str) -> str:
    """Return the project of a session by what its record holds.

    A record that names no repository may have the name of a work tree's folder.
    """
    derived = name and re.split(r"[\\/]", folder.rstrip("\\/"))[-1] == name
    return name_in_path(folder) or name if derived and not repository else name


def _repository_of(folder: str) -> str:
    """Return the folder that a work tree below it belongs to; any other folder as it is."""
    found = _WORKTREE.match(folder)
    return folder if found is None or _HOMES.fullmatch(found[1]) else found[1]
