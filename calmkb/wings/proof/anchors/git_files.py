"""The files that code is checked against: names, texts and words of a commit or the work tree."""

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from subprocess import PIPE

from calmkb.errors import NotFoundError, StoreError
from calmkb.store.git.repository import Repository
from calmkb.store.git.trees import FILE_LIMIT, named, names_in, tree_entries
from calmkb.system.files import read_bytes
from calmkb.system.safe_paths import check_place
from calmkb.wings.proof.anchors.symbols import is_definition
from calmkb.wings.proof.anchors.tree import Tree

_WORDS_AT_ONCE = 200
_WIDE = 1_000  # characters of a line that are looked at: a longer one is no person's
_LINK = "120000"
_QUOTED = re.compile(r"'(?:[0-9a-f]{40,64}:)?([^']+)'")
_DOCUMENTS = ("*.md", "*.mdc", "*.mdx", "*.markdown", "*.rst", "*.txt")


@dataclass(frozen=True)
class CommitFiles:
    """What a commit holds; `unread` gathers what was asked for and git cannot read."""

    repository: Repository
    commit: str
    unread: dict[str, None] = field(default_factory=dict, compare=False)

    @cached_property
    def entries(self) -> dict[str, str]:
        """Return path → "MODE ID" of all files."""
        return tree_entries(self.repository, self.commit)

    def files(self) -> frozenset[str]:
        """Return the paths of all files, from the top of the repository."""
        return frozenset(self.entries)

    def read(self, paths: Iterable[str]) -> dict[str, str]:
        """Return the texts of those of `paths` that are files of at most a megabyte, no links."""
        plain = [path for path in paths if not self.entries.get(path, "").startswith(_LINK)]
        found = texts_of(self.repository, self.commit, plain)
        self.unread.update(dict.fromkeys(path for path in plain if path not in found))
        return found

    def words(self, names: Iterable[str]) -> set[str]:
        """Return those of `names` that occur as whole words in a file that is no document."""
        return _grep(self, names, self.commit)


@dataclass(frozen=True)
class WorkTreeFiles:
    """What lies in the work tree and is not ignored, committed or not; `unread` as above."""

    repository: Repository
    unread: dict[str, None] = field(default_factory=dict, compare=False)

    def files(self) -> frozenset[str]:
        """Return the paths of all files, from the top of the repository."""
        git = self.repository.git
        known = git.ls_files("-z", "--cached", "--others", "--exclude-standard")
        return frozenset(names_in(known)) - set(names_in(git.ls_files("-z", "--deleted")))

    def read(self, paths: Iterable[str]) -> dict[str, str]:
        """Return the texts of those of `paths` that are files of at most a megabyte, no links."""
        found = {}
        for path in paths:
            try:
                real = check_place(self.repository.top / path, self.repository.top)
                found[path] = read_bytes(real, limit=FILE_LIMIT).decode(errors="replace")
            except (OSError, StoreError):
                place = self.repository.top / path
                if place.is_file() and not place.is_symlink():  # a link's file is read by itself
                    self.unread[path] = None
        return found

    def words(self, names: Iterable[str]) -> set[str]:
        """Return those of `names` that occur as whole words in a file that is no document."""
        # With `--untracked` git leaves out what it tracks and would ignore.
        found = _grep(self, asked := set(names), "--no-untracked")
        return found | _grep(self, asked - found, "--untracked")

    def elsewhere(self, paths: Iterable[str]) -> set[str]:
        """Return those of `paths` that are no files of the repository, but on disk or ignored."""
        asked = set(paths)
        there = {path for path in asked if os.path.lexists(self.repository.top / path)}
        return there | self._ignored(sorted(asked - there))

    def _ignored(self, paths: list[str]) -> set[str]:
        """Return the paths that a rule covers, as a file or a folder.

        Git refuses them all for one that it will not judge, such as a path behind a link.
        """
        if not paths:
            return set()
        asked = "".join(f"{path}\0{path}/\0" for path in paths).encode(errors="surrogateescape")
        check = self.repository.git.check_ignore
        running = check("--no-index", "-z", "--stdin", as_process=True, istream=PIPE)
        out, errors = running.communicate(asked)
        if errors and len(paths) > 1:
            half = len(paths) // 2
            return self._ignored(paths[:half]) | self._ignored(paths[half:])
        return {path.rstrip("/") for path in names_in(out.decode(errors="surrogateescape"))}


@dataclass(frozen=True)
class Moment:
    """A repository at one commit, or as it lies in the work tree."""

    repository: Repository
    commit: str = ""

    @cached_property
    def tree(self) -> Tree:
        """The files of that moment."""
        if self.commit:
            return Tree(CommitFiles(self.repository, self.commit))
        work = WorkTreeFiles(self.repository)
        return Tree(work, work.elsewhere)

    @property
    def head(self) -> str:
        """The commit whose history is asked."""
        return self.commit or "HEAD"


@dataclass(frozen=True)
class Removal:
    """The commit that removed a path: its id, its subject, and where the path went, if anywhere."""

    commit: str
    subject: str
    moved_to: str = ""


def removal_of(repository: Repository, path: str, commit: str) -> Removal | None:
    """Return the last commit, up to `commit`, that removed a file or folder; None for none."""
    found = repository.git(literal_pathspecs=True).ask(
        "log", "-1", "--diff-filter=D", "--no-renames", "--format=%H%x00%s", commit, "--", path
    )
    if not found:
        return None
    identity, _, subject = found.partition("\0")
    return Removal(identity, subject, _new_place(path, _moves(repository, identity)))


def removed(repository: Repository, paths: Iterable[str]) -> set[str]:
    """Return which files, of the first thousand, a commit of any branch removed, asked at once."""
    inside = sorted({path for path in paths if not path.startswith("..")})[:_WIDE]
    how = ("--all", "--diff-filter=D", "--no-renames", "--format=", "--name-only", "-z")
    listed = repository.git(literal_pathspecs=True).ask("log", *how, "--", *inside)
    return {*(listed or "").split("\0")} & {*inside}


@lru_cache(maxsize=64)
def _moves(repository: Repository, commit: str) -> Mapping[str, str]:
    """Return where a commit moved files, by their old places; "" for what it deleted."""
    # Empty files are all alike.
    how = ("-r", "-z", "--root", "--no-commit-id", "--name-status", "--diff-filter=DR",
           "--no-rename-empty", commit)  # fmt: skip
    listed = repository.git.ask("diff-tree", "-M", *how)
    if listed is None:  # a file's object is not here: files that moved as they were need none
        listed = repository.git.ask("diff-tree", "-M100%", *how)
    rows = iter((listed or "").split("\0"))
    return {next(rows, ""): next(rows, "") if state[:1] == "R" else "" for state in rows}


def _new_place(path: str, moves: Mapping[str, str]) -> str:
    """Return where a file went, or the folder into which at least half of a folder's files went."""
    if path in moves:
        return moves[path]
    below = {
        old.removeprefix(f"{path}/"): new
        for old, new in moves.items()
        if old.startswith(f"{path}/")
    }
    ends = ((new, f"/{rest}") for rest, new in below.items())
    counted = Counter(new.removesuffix(end) for new, end in ends if new.endswith(end))
    (place, most), *_ = counted.most_common(1) or [("", 0)]
    return place if most * 2 >= len(below) else ""


def commit_of(repository: Repository, name: str) -> str:
    """Return the id of the commit that a person names; NotFoundError where there is none."""
    if found := named(repository, name):
        return found
    raise NotFoundError(f"{name} is not a commit of {repository.top}; git log shows them")


def _grep(source: CommitFiles | WorkTreeFiles, names: Iterable[str], where: str) -> set[str]:
    """Return the names that git finds as whole words."""
    wanted = sorted(set(names))
    return set(_found_lines(source, wanted, "-o", where)) & set(wanted)


def _found_lines(
    source: CommitFiles | WorkTreeFiles, names: Sequence[str], *options: str
) -> Iterator[str]:
    """Yield what git prints of names; it goes on past a file that it cannot read, and names it."""
    for start in range(0, len(names), _WORDS_AT_ONCE):
        # One pattern: git takes thirty times as long for as many patterns.
        some = f"({'|'.join(map(re.escape, names[start : start + _WORDS_AT_ONCE]))})"
        how = ("-I", "-h", "-w", "-E", "--no-color", "--no-textconv", "-e", some)
        kept_out = (f":(exclude,top){one}" for one in _DOCUMENTS)
        running = source.repository.git.grep(*how, *options, "--", ".", *kept_out, as_process=True)
        out, errors = running.communicate()
        yield from out.decode(errors="replace").split("\n")
        for row in errors.decode(errors="replace").splitlines():
            named = _QUOTED.search(row)
            source.unread[named[1] if named else row] = None


def defined(files: CommitFiles, names: Iterable[str]) -> set[str]:
    """Return those of `names` that a commit's files define, or quote as a key."""
    wanted = sorted(set(names))
    lines = [line[:_WIDE] for line in _found_lines(files, wanted, files.commit)]
    return {name for name in wanted if any(is_definition(name, line) for line in lines)}


def texts_of(repository: Repository, commit: str, paths: Iterable[str]) -> dict[str, str]:
    """Return the texts of files of at most a megabyte in a commit, or in the index without one."""
    named = {path: f"{commit}:{path}" for path in paths if "\n" not in path}
    return dict(batch(repository, named))


def batch(repository: Repository, named: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield key and text of the files that git has under the names."""
    if not named:
        return
    asked = "".join(f"{name}\n" for name in named.values()).encode(errors="surrogateescape")
    found = repository.git.cat_file("--batch", istream=asked, stdout_as_string=False)
    place = 0
    for key in named:
        end = found.index(b"\n", place)
        head = found[place:end].split()
        place = end + 1
        if len(head) != len(("id", "type", "size")) or not head[2].isdigit():
            continue  # not there
        size = int(head[2])
        if head[1] == b"blob" and size <= FILE_LIMIT:
            yield key, found[place : place + size].decode(errors="replace")
        place += size + 1
