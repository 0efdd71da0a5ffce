"""The folder of kept sessions: each is a file of its own, so that a broken one costs no other.

`~/.calm/archive/AGENT/NAME.turns`. Nothing here is ever in git, and nobody else can read it.
"""

import contextlib
import re
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from calmkb.system.files import disk_told, make_private_folder
from calmkb.system.locking import exclusive

FOLDER = "archive"
SUFFIX = ".turns"
_DROPPED = "dropped"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,120}")


@dataclass(frozen=True, slots=True)
class Archive:
    """The archive below a state folder; it need not exist."""

    state: Path

    @property
    def folder(self) -> Path:
        """The archive's own folder."""
        return self.state / FOLDER

    def path(self, agent: str, name: str) -> Path:
        """Return the file of a session, whatever the agent calls it."""
        return self.folder / _safe(agent) / f"{_safe(name)}{SUFFIX}"

    def files(self) -> list[Path]:
        """Return the files of all sessions, in the order of their names."""
        return sorted(path for path in self.folder.glob(f"*/*{SUFFIX}") if path.is_file())

    def drop(self, path: Path, grown: int) -> None:
        """Remove a session to make room; one whose transcript has not grown stays away."""
        with contextlib.suppress(OSError):
            path.unlink()
        note = self.folder / _DROPPED / path.parent.name / path.name
        make_private_folder(note.parent)
        note.touch(mode=0o600)
        note.write_text(str(grown), encoding="ascii")

    def dropped_at(self, path: Path) -> int:
        """Return how large the transcript of a dropped session was, -1 for one that was not."""
        try:
            note = self.folder / _DROPPED / path.parent.name / path.name
            return int(note.read_text(encoding="ascii"))
        except (OSError, ValueError):
            return -1

    def held(self, *, seconds: float = 0) -> AbstractContextManager[bool]:
        """Give whether this process is the one to write, within `seconds`.

        Two would keep a session twice.
        """
        with disk_told(f"make {self.folder}"):
            make_private_folder(self.folder)
        return exclusive(self.folder, seconds=seconds)


def _safe(name: str) -> str:
    """Return a name as one of a file: the agent's word can be anything."""
    if _NAME.fullmatch(name):
        return name
    import hashlib  # a fifth of an interpreter's start, for names that are none of a file

    digest = hashlib.sha256(name.encode(errors="replace")).hexdigest()[:12]
    return f"{re.sub('[^A-Za-z0-9_-]', '-', name)[:80].lstrip('-_') or 'x'}-{digest}"
