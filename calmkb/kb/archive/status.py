"""What is kept on this machine, and the choice of a person whether it is."""

import re
from dataclasses import dataclass, replace

from calmkb.errors import CalmError
from calmkb.kb.archive.keep import client_files
from calmkb.kb.archive.place import archive_of
from calmkb.kb.base.environment import Environment
from calmkb.store.archive.session_file import is_damaged
from calmkb.store.local.keeping_choice import read_choice, write_choice
from calmkb.store.turns.schema import NAME

_UNITS = {"": 1, "k": 1024, "m": 1024**2, "g": 1024**3, "t": 1024**4}
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([kmgt]?)(?:i?b)?", re.IGNORECASE)
_LEAST = 1024**2


@dataclass(frozen=True, slots=True)
class ArchiveState:
    """Sessions kept and their bytes, those of the index, the limit, and files of clients.

    `damaged` are files that hold something that cannot be read.
    """

    on: bool
    folder: str
    sessions: int
    size: int
    index_size: int
    limit: int
    client_files: int
    damaged: tuple[str, ...] = ()


def archive_state(environment: Environment) -> ArchiveState:
    """Return what is kept."""
    archive, choice = archive_of(environment), read_choice(environment.state)
    index = archive.folder / NAME
    return ArchiveState(
        choice.on,
        str(archive.folder),
        len(archive.files()),
        archive.size(),
        index.stat().st_size if index.exists() else 0,
        choice.limit,
        len(client_files(environment)),
        tuple(str(path) for path in archive.files() if is_damaged(path)),
    )


def switch_keeping(environment: Environment, *, on: bool | None = None, limit: str = "") -> None:
    """Remember a person's choice; CalmError where `limit` is no size of at least a megabyte."""
    choice = read_choice(environment.state)
    if on is not None:
        choice = replace(choice, on=on)
    if limit:
        choice = replace(choice, limit=_bytes(limit))
    write_choice(environment.state, choice)


def _bytes(text: str) -> int:
    found = _SIZE.fullmatch(text.strip())
    size = int(float(found[1]) * _UNITS[found[2].lower()]) if found else 0
    if size < _LEAST:
        raise CalmError(f"--limit is {text!r}; give a size of at least 1MB, such as 500MB or 2GB")
    return size
