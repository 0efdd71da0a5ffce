"""The files that calmkb built into a folder: it replaces and deletes no others.

Kept in the state folder: what lies in a repository, even in its git directory, is of others.
"""

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from calmkb.errors import CalmError
from calmkb.system.files import write_atomically

Stamp = tuple[int, int]
"""The size of a file, and the time of its last change in nanoseconds."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """What was built into `folder`, noted in the file `place`."""

    folder: Path
    place: Path

    def files(self) -> dict[str, Stamp]:
        """Return path -> stamp of the files built last; none where nothing is noted."""
        try:
            found = json.loads(self.place.read_bytes())["files"]
            return {str(path): (int(size), int(time)) for path, (size, time) in found.items()}
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return {}

    def save(self, files: Mapping[str, Stamp]) -> None:
        """Note what is built; raise StoreError where the state folder cannot be written."""
        noted = {"folder": str(self.folder), "files": dict(sorted(files.items()))}
        text = json.dumps(noted, ensure_ascii=False)
        write_atomically(self.place, text.encode(errors="surrogateescape"), mode=0o600)

    def refuse_foreign(self) -> None:
        """Raise CalmError where the folder holds files, and none of them was built by calmkb."""
        if not self.folder.is_dir() or any((self.folder / path).is_file() for path in self.files()):
            return
        if any(not path.name.startswith(".") for path in self.folder.iterdir()):
            raise CalmError(
                f"{self.folder} holds files that calmkb did not build; delete the folder if nobody "
                "needs them, or choose a new one"
            )


def manifest_of(folder: Path, state: Path) -> Manifest:
    """Return the manifest of `folder`, kept in the state folder."""
    real = os.path.realpath(folder)
    name = hashlib.blake2b(os.fsencode(real), digest_size=16).hexdigest()
    return Manifest(Path(real), state / "sites" / f"{name}.json")


def stamp_of(path: Path) -> Stamp:
    """Return the stamp of a file, as the link that it may be."""
    found = path.lstat()
    return found.st_size, found.st_mtime_ns
