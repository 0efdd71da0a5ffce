"""A built site that is brought up to date: what changed is moved there, what is gone removed."""

import os
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from calmkb.store.site_pages import OutputRow, SitePages

_SHELL = "/shell"
"""The row that tells what the theme was; no file has such a path."""


@dataclass
class Output:
    """The site in `folder`, as the build before this one left it.

    A file stays when it was made from the same and nobody touched it since: its size and the time
    of its last change (nanoseconds) are those that were noted.
    """

    folder: Path
    before: Mapping[str, OutputRow]
    kept: frozenset[str] = frozenset()
    keys: dict[str, str] = field(default_factory=dict)
    new_shell_key: str = ""

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

    def settle(self, scratch: Path) -> int:
        """Move what was built in `scratch` into place; return how many files changed.

        Each file is replaced whole, and one whose bytes are the same is left alone. Hidden files
        on the top floor stay, as MkDocs leaves them: a branch that is published keeps its `.git`.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        built = set(_files(scratch))
        changed = sum(_place(scratch / path, self.folder / path) for path in sorted(built))
        wanted = built | self.kept
        for path in set(_files(self.folder)) - wanted:
            _remove(self.folder, path)
            changed += 1
        return changed

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


def output_at(folder: Path, pages: SitePages) -> Output:
    """Return the site in `folder` with what `pages` knows of it."""
    return Output(folder, pages.outputs(folder))


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


def _place(source: Path, target: Path) -> bool:
    if target.is_file() and not target.is_symlink() and _same(source, target):
        return False
    if target.is_dir() and not target.is_symlink():
        shutil.rmtree(target)
    for parent in target.parents:
        if parent.is_dir():
            break
        if parent.exists() or parent.is_symlink():
            parent.unlink()
    target.parent.mkdir(parents=True, exist_ok=True)
    source.replace(target)
    return True


def _same(one: Path, other: Path) -> bool:
    return one.stat().st_size == other.stat().st_size and one.read_bytes() == other.read_bytes()


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
