"""The files of a repository at one moment, and whether what a text refers to is there."""

import fnmatch
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from posixpath import normpath
from typing import Literal, Protocol

from calmkb.wings.proof.anchors.references import Reference
from calmkb.wings.proof.anchors.runners import declared, is_task_file

_TASK_FILES = 300


class Source(Protocol):
    """Where the files are read from: a commit or a work tree."""

    @property
    def unread(self) -> Mapping[str, None]:
        """Return what was asked for and cannot be read: nobody knows what it holds."""

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
    elsewhere: Callable[[Iterable[str]], set[str]] = field(default=lambda _paths: set())
    """Which of some paths that are no files of the repository may still be there, or ignored."""
    _asked: dict[str, bool] = field(default_factory=dict)
    _words: dict[str, bool] = field(default_factory=dict)

    @cached_property
    def files(self) -> frozenset[str]:
        """All files."""
        return frozenset(self.source.files())

    @cached_property
    def folders(self) -> frozenset[str]:
        """All folders, without the top."""
        ends = ((path, end) for path in self.files for end, sign in enumerate(path) if sign == "/")
        return frozenset(path[:end] for path, end in ends)

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

    def words(self, names: Iterable[str]) -> set[str]:
        """Return those of the names that are words in code; what was asked once is known."""
        asked = set(names)
        if new := asked - self._words.keys():
            standing = self.source.words(new)
            self._words |= {name: name in standing for name in new}
        return {name for name in asked if self._words[name]}

    def at(self, name: str, folder: str = "") -> str | None:
        """Return the file or folder at just this path, from a text's folder or from the top."""
        self.look_for([(name, folder)])
        paths = places_of(name, folder)
        return next((one for one in paths if self._is_known(one) or self._asked.get(one)), None)

    def look_for(self, names: Iterable[tuple[str, str]]) -> None:
        """Ask once which of many names, each from a folder, are elsewhere: git takes its time."""
        places = {one for name, folder in names for one in places_of(name, folder)}
        new = {p for p in places if not (p.startswith("..") or self._is_known(p))}
        if new := new - self._asked.keys():
            self._asked |= dict.fromkeys(new, False) | dict.fromkeys(self.elsewhere(new), True)

    def _is_known(self, path: str) -> bool:
        return path == "." or path in self.files or path in self.folders

    def find(self, name: str, folder: str = "") -> str | None:
        """Return the file or folder that `name` means in a text that lies in `folder`, or None.

        Where it is not at just this path, anything below that ends so; a file may be named without
        its extension. The shortest path wins where several fit.
        """
        if "*" in name or "{" in name:
            return next(self.matching(name), None) or self.at(name, folder)
        found = self.at(name, folder) or self._below(name)
        if found is None and name.endswith(".js"):  # TypeScript imports what will be built
            return self.find(f"{name.removesuffix('.js')}.ts", folder)
        return found

    def named(self, name: str) -> Sequence[str]:
        """Return the files and folders that have a name: of several it is a convention's."""
        return self._by_name.get(name.rstrip("/"), ())

    def _below(self, name: str) -> str | None:
        plain = normpath(name.strip("/"))
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


_EITHER = re.compile(r"\\\{([^{}]*?)\\\}")  # `{ts,tsx}` as a regular expression writes it


def places_of(name: str, folder: str) -> list[str]:
    """Return where a name in a text may lead: from the text's folder, or from the top."""
    return list(dict.fromkeys(normpath(f"{base}/{name}".lstrip("/")) for base in (folder, "")))


State = Literal["held", "missing", "unknown"]


def judge(asked: Iterable[Reference], tree: Tree, folder: str = "") -> dict[Reference, State]:
    """Return the state of each reference of a text that lies in `folder`.

    `unknown`: nothing of the kind is declared here, so that the repository cannot say.
    """
    every = list(asked)
    standing = tree.words(one.value for one in every if one.kind == "name")
    tree.look_for((one.value, folder) for one in every if one.kind in ("path", "link"))
    return {one: _state(one, tree, folder, standing) for one in every}


def _state(one: Reference, tree: Tree, folder: str, standing: set[str]) -> State:
    if one.kind == "name":
        absent: State = "unknown" if tree.source.unread else "missing"
        return "held" if one.value in standing else absent
    if one.kind == "command":
        targets = tree.targets.get(one.tool)
        if targets is None:
            return "unknown"
        # `make lint/types` may be two.
        asked = [one.value] if one.value in targets else one.value.split("/")
        known = (any(fnmatch.fnmatchcase(name, target) for target in targets) for name in asked)
        return "held" if all(known) else "missing"
    if one.symbol and "*" in one.value:  # any of the files may define it
        found = any(holds(tree, path, one.symbol) for path in tree.matching(one.value))
        return "held" if found else "missing"
    path = tree.find(one.value, folder)
    if path is None:  # of what lies beside the repository nobody here can say
        is_outside = normpath(f"{folder or '.'}/{one.value}").startswith("../")
        return "unknown" if is_outside else "missing"
    return "held" if not one.symbol or holds(tree, path, one.symbol) else "missing"


def holds(tree: Tree, path: str, symbol: str) -> bool:
    """Return whether a file defines a symbol; where its language is not known, has the word.

    A file that cannot be read may define it.
    """
    from calmkb.wings.proof.anchors.anchor import Anchor, part_of  # few texts name a symbol
    from calmkb.wings.proof.anchors.settings import keys_ending, settings_in

    text = tree.source.read([path]).get(path)
    if text is None:
        return True
    if (settings := settings_in(path, text)) is not None:
        return bool(keys_ending(settings, symbol))
    # What is imported, or passed on, can be had there as well: looked for where such lines stand.
    given = rf"\b(?:export|import)\b[^;]{{0,600}}\b{re.escape(symbol)}\b"
    is_given = re.search(given, text[:100_000]) is not None
    return is_given or part_of(Anchor(f"{path}:{symbol}", path, ""), text) is not None
