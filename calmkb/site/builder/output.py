"""A built site that is brought up to date: what changed is moved there, what is gone removed."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from calmkb.errors import CalmError
from calmkb.site.builder.cache import OutputRow, SitePages
from calmkb.site.builder.manifest import Manifest, Stamp, stamp_of
from calmkb.system.paths import leads_elsewhere
from calmkb.system.safe_paths import check_place

_SHELL = "/shell"
"""The row that tells what the theme was; no file has such a path."""


@dataclass(frozen=True, slots=True)
class Moved:
    """How many files changed, and which are there that calmkb did not build and left alone."""

    changed: int
    left: tuple[str, ...] = ()


@dataclass
class Output:
    """The site of `manifest`, as the build before this one left it.

    A file stays when it was made from the same and nobody touched it since: its size and the time
    of its last change (nanoseconds) are those that were noted.
    """

    manifest: Manifest
    before: Mapping[str, OutputRow]
    kept: frozenset[str] = frozenset()
    keys: dict[str, str] = field(default_factory=dict)
    new_shell_key: str = ""

    @property
    def folder(self) -> Path:
        """Where the site is."""
        return self.manifest.folder

    @property
    def shell_key(self) -> str:
        """What the theme was when the site was built."""
        row = self.before.get(_SHELL)
        return row.key if row else ""

    def stands(self, path: str, key: str) -> bool:
        """Say whether the file at `path` is there, untouched, and made from `key`."""
        row = self.before.get(path)
        if row is None or row.key != key:
            return False
        try:
            found = (self.folder / path).stat()
        except OSError:
            return False
        return (found.st_size, found.st_mtime_ns) == (row.size, row.changed)

    def finish(self, kept: set[str], keys: dict[str, str], shell_key: str) -> None:
        """Note which files stay, and what each page was made from."""
        self.kept, self.keys, self.new_shell_key = frozenset(kept), keys, shell_key

    def settle(self, scratch: Path) -> Moved:
        """Move what was built in `scratch` into place; return what that did.

        Each file is replaced whole, and one whose bytes are the same is left alone. Files that
        the manifest does not list stay, hidden ones on the top floor without a word.
        Raises CalmError, and nothing is moved, where one of them is in the way.
        """
        built, there, noted = set(_files(scratch)), set(_files(self.folder)), self.manifest.files()
        self._refuse_conflicts(scratch, built, there - noted.keys())
        new = {path: stamp_of(scratch / path) for path in built}
        self.manifest.save(noted | new)  # Should we be killed half-way, all of it is ours.
        wanted = built | self.kept
        gone = {p for p in there & noted.keys() - wanted if self._is_as(p, noted[p])}
        for path in gone:
            _remove(self.folder, path)
        changed = len(gone) + sum(self._place(scratch, path) for path in sorted(built))
        self.manifest.save(
            {p: stamp_of(self.folder / p) for p in wanted & set(_files(self.folder))}
        )
        return Moved(changed, tuple(sorted(there - wanted - gone)))

    def _refuse_conflicts(self, scratch: Path, built: set[str], foreign: set[str]) -> None:
        """Raise CalmError where a file would be lost that calmkb did not build, or a link used."""
        for folder in {str(PurePosixPath(path).parent) for path in built}:
            check_place(self.folder / folder, self.folder)
        over = {str(folder) for path in foreign for folder in PurePosixPath(path).parents}
        for path in sorted(built):
            ways = {str(folder) for folder in PurePosixPath(path).parents}
            taken = path in over or foreign & ways
            if taken or (path in foreign and not _same(scratch / path, self.folder / path)):
                raise CalmError(
                    f"{self.folder / path} would be replaced, and calmkb did not build what is "
                    "there; move it away, then build again"
                )

    def _is_as(self, path: str, stamp: Stamp) -> bool:
        return stamp_of(self.folder / path) == stamp

    def _place(self, scratch: Path, path: str) -> bool:
        source, target = scratch / path, self.folder / path
        if target.is_file() and _same(source, target):
            return False
        target.parent.mkdir(parents=True, exist_ok=True)
        check_place(target.parent, self.folder)
        source.replace(target)
        return True

    def rows(self) -> dict[str, OutputRow]:
        """Return what is to be known of the site when it is built next time."""
        rows = {_SHELL: OutputRow(_SHELL, self.new_shell_key, 0, 0)}
        for path, key in self.keys.items():
            if path in self.kept:
                rows[path] = self.before[path]
            elif (file := self.folder / path).is_file():
                found = file.stat()
                rows[path] = OutputRow(path, key, found.st_size, found.st_mtime_ns)
        return rows


def output_at(manifest: Manifest, pages: SitePages) -> Output:
    """Return the site of `manifest` with what `pages` knows of it."""
    return Output(manifest, pages.outputs(manifest.folder))


def _files(folder: Path) -> Iterator[str]:
    """Yield the files below `folder`, without hidden ones on its top floor."""
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
