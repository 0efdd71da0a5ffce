"""What callers hand to the git store and what they get back."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Change:
    """Files to write (path from the top of the work tree → bytes) or, with None, to remove.

    `expected` (path → blob id, "" for no file) must be what the last commit holds, or the change is
    refused: what was made from words that somebody has changed since must not replace theirs.
    `repeated` if a process that was killed may have committed these very files already.
    """

    files: Mapping[str, bytes | None]
    message: str
    at: datetime
    expected: Mapping[str, str] = field(default_factory=dict)
    repeated: bool = False


@dataclass(frozen=True, slots=True)
class Commit:
    """What was committed; `warning` tells what could not yet be done to the work tree or index."""

    id: str
    warning: str = ""


@dataclass(frozen=True, slots=True)
class PathChange:
    """One path of a commit: what the tree held before and after, as "MODE BLOB", "" for nothing."""

    path: str
    before: str
    after: str
