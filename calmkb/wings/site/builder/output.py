"""The folder of a built site, and the files that calmkb built into it: it replaces no others.

The list of these files is kept in the state folder: what lies in a repository, even in its git
directory, belongs to others.
"""

import hashlib
import json
import os
import shutil
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any

from calmkb.errors import CalmError
from calmkb.system.files import write_atomically
from calmkb.system.paths import leads_elsewhere
from calmkb.system.safe_paths import check_place

_ABANDONED_SECONDS = 6 * 3600
Stamp = tuple[int, int]
"""The size of a file, and the time of its last change in nanoseconds."""


@dataclass(frozen=True, slots=True)
class Built:
    """A site in `folder`: how many files changed, and which are there that calmkb did not build."""

    folder: Path
    changed: int
    left: tuple[str, ...] = ()


@dataclass(frozen=True)
class Output:
    """The site in `folder` and its list of files, `record`; with `rebuild` no file is reused."""

    folder: Path
    record: Path
    rebuild: bool = False

    @cached_property
    def files(self) -> dict[str, tuple[Stamp, str]]:
        """Path -> stamp and key of the files built last; empty where nothing is recorded."""
        try:
            found = self._recorded()["files"]
            return {
                str(path): ((int(size), int(time)), str(key[0]) if key else "")
                for path, (size, time, *key) in found.items()
            }
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return {}

    def is_current(self, path: str, key: str) -> bool:
        """Whether the file at `path` was made from `key` and nobody changed it since."""
        stamp, made_from = self.files.get(path, ((0, 0), ""))
        return not self.rebuild and made_from == key != "" and self._is_there(path, stamp)

    def unchanged(self, source: str) -> Built | None:
        """Return what is in the folder; None unless `note` got `source`, and nobody changed a file.

        Files that calmkb did not build may have come and gone.
        """
        if self.rebuild or not self.files or self._recorded().get("source") != source:
            return None
        if not all(self._is_there(path, stamp) for path, (stamp, _) in self.files.items()):
            return None
        return Built(self.folder, 0, tuple(sorted(set(files_in(self.folder)) - self.files.keys())))

    def note(self, source: str) -> None:
        """Record that the files which were published last are all that is made of `source`."""
        self._write(self._recorded() | {"source": source})

    def _is_there(self, path: str, stamp: Stamp) -> bool:
        try:
            return _stamp(self.folder / path) == stamp
        except OSError:
            return False

    def refuse_foreign(self) -> None:
        """Raise CalmError where the folder holds files, and none of them was built by calmkb."""
        if not self.folder.is_dir() or any((self.folder / path).is_file() for path in self.files):
            return
        if any(not path.name.startswith(".") for path in self.folder.iterdir()):
            raise CalmError(
                f"{self.folder} holds files that calmkb did not build; delete the folder if nobody "
                "needs them, or choose a new one"
            )

    def publish(self, scratch: Path, kept: frozenset[str], keys: Mapping[str, str]) -> Built:
        """Move what was built in `scratch` into place; `kept` are the files that stay as they are.

        Each file is replaced whole, and one whose bytes are the same is left alone. Files that
        are not in our list stay, hidden ones in the top folder without notice.
        Raises CalmError, and nothing is moved, where one of them is in the way.
        """
        built, there, ours = set(files_in(scratch)), set(files_in(self.folder)), self.files
        self._refuse_conflicts(scratch, built, there - ours.keys())
        stamps = {path: stamp for path, (stamp, _) in ours.items()}
        new = {path: _stamp(scratch / path) for path in built}
        self._save(stamps | new, {})  # If we are killed half-way, all of it is ours.
        wanted = built | kept
        gone = {p for p in there & ours.keys() - wanted if _stamp(self.folder / p) == stamps[p]}
        for path in gone:
            _remove(self.folder, path)
        changed = len(gone) + sum(self._place(scratch, path) for path in sorted(built))
        present = wanted & set(files_in(self.folder))
        self._save({p: stamps[p] if p in kept else _stamp(self.folder / p) for p in present}, keys)
        return Built(self.folder, changed, tuple(sorted(there - wanted - gone)))

    def _save(self, stamps: Mapping[str, Stamp], keys: Mapping[str, str]) -> None:
        files = {path: (*stamp, keys.get(path, "")) for path, stamp in sorted(stamps.items())}
        self._write({"folder": str(self.folder), "files": files})

    def _recorded(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.record.read_bytes())
        return found

    def _write(self, record: dict[str, Any]) -> None:
        text = json.dumps(record, ensure_ascii=False)
        write_atomically(self.record, text.encode(errors="surrogateescape"), mode=0o600)

    def _refuse_conflicts(self, scratch: Path, built: set[str], foreign: set[str]) -> None:
        """Raise CalmError where a file would be lost that calmkb did not build, or a link used."""
        for folder in {str(PurePosixPath(path).parent) for path in built}:
            check_place(self.folder / folder, self.folder)
        over = {str(folder) for path in foreign for folder in PurePosixPath(path).parents}
        for path in sorted(built):
            parents = {str(folder) for folder in PurePosixPath(path).parents}
            taken = path in over or foreign & parents
            if taken or (path in foreign and not _same(scratch / path, self.folder / path)):
                raise CalmError(
                    f"{self.folder / path} would be replaced, and calmkb did not build what is "
                    "there; move it away, then build again"
                )

    def _place(self, scratch: Path, path: str) -> bool:
        source, target = scratch / path, self.folder / path
        if target.is_file() and _same(source, target):
            return False
        target.parent.mkdir(parents=True, exist_ok=True)
        check_place(target.parent, self.folder)
        source.replace(target)
        return True


def output_at(folder: Path, state: Path, *, rebuild: bool = False) -> Output:
    """Return the site in `folder`, its list of files kept in the state folder."""
    real = os.path.realpath(folder)
    name = hashlib.blake2b(os.fsencode(real), digest_size=16).hexdigest()
    return Output(Path(real), state / "sites" / f"{name}.json", rebuild)


@contextmanager
def scratch_beside(folder: Path) -> Iterator[Path]:
    """Yield a new folder on the same disk, and remove it and what killed builds left."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    long_ago = time.time() - _ABANDONED_SECONDS
    for left in folder.parent.glob(f".{folder.name}-building-*"):
        if left.stat().st_mtime < long_ago:
            shutil.rmtree(left, ignore_errors=True)
    scratch = Path(tempfile.mkdtemp(prefix=f".{folder.name}-building-", dir=folder.parent))
    try:
        yield scratch
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _stamp(path: Path) -> Stamp:
    """Return the stamp of a file, or of the link that it may be."""
    found = path.lstat()
    return found.st_size, found.st_mtime_ns


def files_in(folder: Path) -> Iterator[str]:
    """Yield the files below `folder`, without hidden ones in the folder itself."""
    for place, folders, names in os.walk(folder):
        within = os.path.relpath(place, folder).replace(os.sep, "/")
        top = within == "."
        if top:
            folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            if not (top and name.startswith(".")):
                yield name if top else f"{within}/{name}"


def _same(one: Path, other: Path) -> bool:
    if leads_elsewhere(other) or one.stat().st_size != other.stat().st_size:
        return False
    return one.read_bytes() == other.read_bytes()


def _remove(folder: Path, path: str) -> None:
    """Remove a file, and the folders that it leaves empty."""
    file = folder / path
    file.unlink()
    for parent in file.parents:
        if parent == folder:
            return
        try:
            parent.rmdir()
        except OSError:  # It holds something yet.
            return
