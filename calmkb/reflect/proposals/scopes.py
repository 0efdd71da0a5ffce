"""Where a learning holds: one project, all, or the folders that all its sessions touched."""

from collections.abc import Iterable, Sequence

from calmkb.model import GLOBAL_SCOPE
from calmkb.reflect.proposals.statements import Statement

_DEPTH = 2
_FOLDERS = 3


def scope_of(projects: Iterable[str]) -> str:
    """Return the project where there is one, `global` where there are several or none."""
    named = sorted({project for project in projects if project})
    return named[0] if len(named) == 1 else GLOBAL_SCOPE


def globs_of(members: Sequence[Statement]) -> tuple[str, ...]:
    """Return globs of the folders, at most two deep, that every session touched and no other.

    Nothing where a session does not say what it changed, where they differ, where there are more
    than three, or where one session alone speaks: a single one tells nothing about the place.
    """
    touched = {member.entry_id: _folders(member.files) for member in members}
    if len(touched) < 2 or len(set(touched.values())) != 1:
        return ()
    folders = next(iter(touched.values()))
    if not 0 < len(folders) <= _FOLDERS:
        return ()
    return tuple(f"{folder}/**" for folder in sorted(folders))


def _folders(files: Iterable[str]) -> frozenset[str]:
    """Return the folders of files; a file at the top makes it the whole repository: nothing."""
    parts = [file.split("/")[:-1][:_DEPTH] for file in files]
    return frozenset() if not all(parts) else frozenset("/".join(part) for part in parts)
