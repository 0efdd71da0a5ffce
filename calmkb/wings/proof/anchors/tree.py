"""The files of a repository at one moment: which there are, and what a name in a text may mean."""

import fnmatch
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from posixpath import normpath
from typing import Protocol

from calmkb.wings.proof.anchors.runners import declared, is_task_file

_TASK_FILES = 300


class Source(Protocol):
    """Where the files are read from: a commit or a work tree."""

    def files(self) -> Iterable[str]:
        """Return the paths of all files, from the top."""

    def read(self, paths: Iterable[str]) -> Mapping[str, str]:
        """Return the texts of those files that are there and no larger than is sensible."""

    def words(self, names: Iterable[str]) -> set[str]:
        """Return those of the names that occur as a whole word in some file that is no document."""


@dataclass
class Tree:
    """The files of a repository at one moment, asked for lazily, each thing once."""

    source: Source
    elsewhere: Callable[[str], bool] = field(default=lambda _path: False)
    """Whether a path that is no file of the repository may still be there: on disk, or ignored."""

    @cached_property
    def files(self) -> frozenset[str]:
        """All files."""
        return frozenset(self.source.files())

    @cached_property
    def folders(self) -> frozenset[str]:
        """All folders, without the top."""
        return frozenset(above for path in self.files for above in _above(path))

    @cached_property
    def _by_name(self) -> dict[str, list[str]]:
        named: dict[str, list[str]] = {}
        for path in (*self.files, *self.folders):
            name = path.rpartition("/")[2]
            named.setdefault(name, []).append(path)
            if "." in name[1:]:
                named.setdefault(name[: name.index(".", 1)], []).append(path)
        return named

    @cached_property
    def targets(self) -> dict[str, set[str]]:
        """The targets of the task runners."""
        paths = sorted((p for p in self.files if is_task_file(p)), key=lambda p: (p.count("/"), p))
        return declared(self.source.read(paths[:_TASK_FILES]))

    def at(self, name: str, folder: str = "") -> str | None:
        """Return the file or folder at just this path, from a text's folder or from the top."""
        wanted = name.rstrip("/")
        for base in dict.fromkeys((folder, "")):
            path = normpath(f"{base}/{wanted}" if base else wanted)
            if path == "." or path in self.files or path in self.folders:
                return path
            if not path.startswith("..") and self.elsewhere(path):
                return path
        return None

    def find(self, name: str, folder: str = "") -> str | None:
        """Return the file or folder that `name` means in a text that lies in `folder`, or None.

        Where it is not at just this path, anything below that ends so; a file may be named without
        its extension. The shortest path wins where several fit.
        """
        if "*" in name or "{" in name:
            return next(self.matching(name), None)
        return self.at(name, folder) or self._below(name)

    def _below(self, name: str) -> str | None:
        plain = normpath(name.rstrip("/"))
        while plain.startswith("../"):
            plain = plain[3:]
        fits = [
            path
            for path in self._by_name.get(plain.rpartition("/")[2], ())
            if f"/{path}".endswith(f"/{plain}") or f"/{plain}." in f"/{path}"
        ]
        return min(fits, key=lambda path: (len(path), path), default=None)

    def matching(self, glob: str) -> Iterator[str]:
        """Yield the files that a glob may mean, then the folders, each by name."""
        # `*` of fnmatch crosses `/`, so that too much matches rather than too little.
        wide = normpath(glob.rstrip("/")).replace("**/", "*").replace("**", "*")
        plain = fnmatch.translate(f"*{wide.lstrip('./')}")
        pattern = re.compile(_EITHER.sub(lambda one: f"(?:{one[1].replace(',', '|')})", plain))
        paths = (*sorted(self.files), *sorted(self.folders))
        return (path for path in paths if pattern.match(path))


_EITHER = re.compile(r"\\\{([^{}]*?)\\\}")
"""`{ts,tsx}` as a regular expression writes it."""


def _above(path: str) -> Iterable[str]:
    parts = path.split("/")
    return ("/".join(parts[:count]) for count in range(1, len(parts)))
