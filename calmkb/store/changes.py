"""What callers hand to the git store and what they get back."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Change:
    """Files to write (path from the top of the work tree → bytes) or, with None, to remove."""

    files: Mapping[str, bytes | None]
    message: str
    at: datetime


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
