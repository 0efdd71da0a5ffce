"""What a transcript format offers: `FORMAT` of a module in this package."""

import fnmatch
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from calmkb.capture.formats.turns import Transcript

JsonObject = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Stamp:
    """What changes with a session: when it was last written to, in ns since 1970, and its size.

    `mark` differs where another session took the place of this one.
    """

    at: int
    size: int
    mark: int = 0

    def __str__(self) -> str:
        return f"{self.at} {self.size} {self.mark}"


def file_stamp(path: Path) -> Stamp:
    """Return the stamp of a session that is a file; OSError where there is none."""
    status = path.stat()
    return Stamp(status.st_mtime_ns, status.st_size, status.st_ino)


@dataclass(frozen=True, slots=True)
class History:
    """Where an agent keeps its sessions; `name` is what `calmkb import` calls it.

    `folder` returns the usual place or places, from the user's home and the environment; `pattern`
    is a glob of the names of the files below it.
    """

    name: str
    folder: Callable[[Path, Mapping[str, str]], Path | tuple[Path, ...]]
    pattern: str

    def places(self, home: Path, env: Mapping[str, str]) -> tuple[Path, ...]:
        """Return the places that are there, or where nothing is the first usual one."""
        found = self.folder(home, env)
        usual = (found,) if isinstance(found, Path) else found
        return tuple(place for place in usual if os.path.lexists(place)) or usual[:1]

    def files(self, folder: Path) -> Iterator[Path]:
        """Yield the files below `folder`; a folder that is linked to is looked into once."""
        seen: set[str] = set()
        for top, folders, names in os.walk(folder, followlinks=True):
            real = os.path.realpath(top)
            if real in seen:
                folders.clear()
                continue
            seen.add(real)
            found = (Path(top, name) for name in fnmatch.filter(names, self.pattern))
            yield from (path for path in found if path.is_file())


class TranscriptFormat(ABC):
    """A way in which one agent writes its sessions down.

    Formats are tried by `order`, those that know their own files for certain first.
    """

    name: ClassVar[str]
    history: ClassVar[History | None] = None
    order: ClassVar[int] = 100

    @abstractmethod
    def recognises(self, objects: Sequence[JsonObject]) -> bool:
        """Return whether the first sound objects of a file are in this format."""

    def claims(self, path: Path) -> bool:
        """Return whether a file is in this format by its place, whatever its lines are."""
        return False

    def folder_in(self, objects: Sequence[JsonObject]) -> str:
        """Return the folder that a session began in by its first objects; "" if they do not say."""
        return ""

    def stamp(self, path: Path) -> Stamp:
        """Return what changes with a session; OSError where it is gone.

        Raises TranscriptError for a name that no session of the agent has.
        """
        return file_stamp(path)

    @abstractmethod
    def read(self, path: Path) -> Transcript:
        """Read a whole file; TranscriptError where it cannot be read."""


def codex_home(home: Path, env: Mapping[str, str]) -> Path:
    """Return the folder where Codex keeps its settings and sessions."""
    return Path(env.get("CODEX_HOME") or home / ".codex")


def gemini_home(home: Path, env: Mapping[str, str]) -> Path:
    """Return the folder where Gemini CLI keeps its settings and sessions."""
    return Path(env.get("GEMINI_CLI_HOME") or home) / ".gemini"
