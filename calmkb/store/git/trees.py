"""The files of a repository at one moment, a commit or the work tree: names, texts, words."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path

from calmkb.errors import StoreError
from calmkb.store.git.repository import Repository
from calmkb.store.git.run import GitFailedError, ask_git, run_git
from calmkb.system.files import read_bytes
from calmkb.system.safe_paths import check_place

_FILE_LIMIT = 1024 * 1024
_WORDS_AT_ONCE = 200
_LINK = "120000"
_DOCUMENTS = ("*.md", "*.mdc", "*.mdx", "*.markdown", "*.rst", "*.txt")


@dataclass(frozen=True)
class CommitFiles:
    """What a commit holds."""

    repository: Repository
    commit: str

    @cached_property
    def _modes(self) -> dict[str, str]:
        asked = ["ls-tree", "-r", "-z", "--full-tree", self.commit]
        rows = _names(run_git(asked, cwd=self.repository.top))
        return {path: mode for mode, path in ((row[:6], row.partition("\t")[2]) for row in rows)}

    def files(self) -> frozenset[str]:
        """Return the paths of all files, from the top of the repository."""
        return frozenset(self._modes)

    def read(self, paths: Iterable[str]) -> dict[str, str]:
        """Return the texts of those of `paths` that are files of at most a megabyte, no links."""
        plain = (path for path in paths if self._modes.get(path) != _LINK)
        return texts_of(self.repository, self.commit, plain)

    def words(self, names: Iterable[str]) -> set[str]:
        """Return those of `names` that occur as whole words in a file that is no document."""
        return _grep(self.repository, names, [self.commit])


def texts_of(repository: Repository, commit: str, paths: Iterable[str]) -> dict[str, str]:
    """Return the texts of files of at most a megabyte in a commit, or in the index without one."""
    wanted = list(dict.fromkeys(path for path in paths if "\n" not in path))
    if not wanted:
        return {}
    asked = "".join(f"{commit}:{path}\n" for path in wanted).encode(errors="surrogateescape")
    return dict(_batch(run_git(["cat-file", "--batch"], cwd=repository.top, data=asked), wanted))


def blobs_of(repository: Repository, commit: str, paths: Iterable[str]) -> dict[str, str]:
    """Return the blob ids of those of `paths` that are files of a commit."""
    asked = ["ls-tree", "-r", "-z", "--full-tree", commit]
    rows = (row.partition("\t") for row in _names(run_git(asked, cwd=repository.top)))
    wanted = set(paths)
    return {path: head.split()[2] for head, _, path in rows if path in wanted}


def blob_texts(repository: Repository, blobs: Iterable[str]) -> dict[str, str]:
    """Return the texts of those blobs that the repository has and that are at most a megabyte."""
    wanted = sorted(set(blobs))
    if not wanted:
        return {}
    asked = "".join(f"{blob}\n" for blob in wanted).encode()
    return dict(_batch(run_git(["cat-file", "--batch"], cwd=repository.top, data=asked), wanted))


@dataclass(frozen=True)
class WorkTreeFiles:
    """What lies in the work tree and is not ignored, committed or not."""

    repository: Repository

    @cached_property
    def _listed(self) -> frozenset[str]:
        known = run_git(
            ["ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=self.repository.top,
        )
        gone = run_git(["ls-files", "-z", "--deleted"], cwd=self.repository.top)
        return _names(known) - _names(gone)

    def files(self) -> frozenset[str]:
        """Return the paths of all files, from the top of the repository."""
        return self._listed

    def read(self, paths: Iterable[str]) -> dict[str, str]:
        """Return the texts of those of `paths` that are files of at most a megabyte, no links."""
        found = {}
        for path in paths:
            try:
                real = check_place(self.repository.top / path, self.repository.top)
                found[path] = read_bytes(real, limit=_FILE_LIMIT).decode(errors="replace")
            except (OSError, StoreError):
                continue
        return found

    def words(self, names: Iterable[str]) -> set[str]:
        """Return those of `names` that occur as whole words in a file that is no document."""
        return _grep(self.repository, names, ["--untracked"])

    def is_elsewhere(self, path: str) -> bool:
        """Whether a path that is no file of the repository lies on the disk, or is ignored."""
        if (self.repository.top / path).exists():
            return True
        return is_ignored(self.repository, path)


def is_ignored(repository: Repository, path: str) -> bool:
    """Whether the repository keeps a path, or the folder of that name, out of git."""
    asked = ["check-ignore", "-q", "--no-index", "--", path]
    return any(
        ask_git(one, cwd=repository.top) is not None for one in (asked, [*asked[:-1], f"{path}/"])
    )


def _names(listed: bytes) -> frozenset[str]:
    return frozenset(p for p in listed.decode(errors="surrogateescape").split("\0") if p)


def _batch(found: bytes, wanted: Sequence[str]) -> Iterable[tuple[str, str]]:
    """Yield path and text of what `cat-file --batch` printed for the paths, in their order."""
    place = 0
    for path in wanted:
        end = found.index(b"\n", place)
        head = found[place:end].split()
        place = end + 1
        if len(head) != len(("id", "type", "size")) or not head[2].isdigit():
            continue  # not there
        size = int(head[2])
        if head[1] == b"blob" and size <= _FILE_LIMIT:
            yield path, found[place : place + size].decode(errors="replace")
        place += size + 1


def _grep(repository: Repository, names: Iterable[str], where: Sequence[str]) -> set[str]:
    wanted = sorted(set(names))
    found: set[str] = set()
    for start in range(0, len(wanted), _WORDS_AT_ONCE):
        some = [part for name in wanted[start : start + _WORDS_AT_ONCE] for part in ("-e", name)]
        options = ["-I", "-h", "-o", "-w", "-F", "--no-color", "--no-textconv", *some]
        revision = [one for one in where if not one.startswith("-")]
        options += [one for one in where if one.startswith("-")]
        asked = [
            "grep",
            *options,
            *revision,
            "--",
            ".",
            *(f":(exclude,top){d}" for d in _DOCUMENTS),
        ]
        try:
            out = run_git(asked, cwd=repository.top)
        except GitFailedError as error:
            if error.stderr:
                raise
            continue  # none of them
        found |= {row.decode(errors="replace") for row in set(out.split(b"\n"))}
    return found & set(wanted)


@dataclass(frozen=True)
class LineOrigin:
    """The commit that a line is from, the file's path at that time, and the line's text."""

    commit: str
    path: str
    text: str


def line_origins(repository: Repository, path: str, commit: str) -> list[LineOrigin]:
    """Return where each line of a committed file is from; nothing where it is not committed."""
    asked = ["blame", "--line-porcelain", "--no-textconv", commit, "--", path]
    try:
        found = run_git(asked, cwd=repository.top).decode(errors="replace")
    except GitFailedError:
        return []
    origins, current, name = [], "", path
    for row in found.split("\n"):
        if row.startswith("\t"):
            origins.append(LineOrigin(current, name, row[1:]))
            current = ""
        elif not current:
            current = row.partition(" ")[0]
        elif row.startswith("filename "):
            name = row.removeprefix("filename ")
    return origins


@dataclass(frozen=True)
class Removal:
    """The commit that removed a path: its id, its subject, and where the path went, if anywhere."""

    commit: str
    subject: str
    moved_to: str = ""


def removal_of(repository: Repository, path: str, commit: str) -> Removal | None:
    """Return the last commit, up to `commit`, that removed a file or folder; None for none."""
    asked = ["--literal-pathspecs", "log", "-1", "--diff-filter=D", "--no-renames",
             "--format=%H%x00%s", commit, "--", path]  # fmt: skip
    found = ask_git(asked, cwd=repository.top)
    if not found:
        return None
    identity, _, subject = found.partition("\0")
    shown = ["diff-tree", "-r", "-M", "-z", "--root", "--no-commit-id", "--name-status",
             "--no-textconv", "--no-ext-diff", "--diff-filter=R", identity]  # fmt: skip
    listed = run_git(shown, cwd=repository.top).decode(errors="surrogateescape").split("\0")
    moves = dict(zip(listed[1::3], listed[2::3], strict=False))
    return Removal(identity, subject, _new_place(path, moves))


def _new_place(path: str, moves: dict[str, str]) -> str:
    """Return where a file went, or the folder into which most files of a folder went."""
    if path in moves:
        return moves[path]
    counted: dict[str, int] = {}
    for old, new in moves.items():
        below = old.removeprefix(f"{path}/")
        if below != old and new.endswith(f"/{below}"):
            target = new.removesuffix(f"/{below}")
            counted[target] = counted.get(target, 0) + 1
    return max(counted, key=lambda one: counted[one], default="")


def named(repository: Repository, commit: str) -> str | None:
    """Return the full id of the commit that a person names, or None."""
    if not commit or commit.startswith("-"):
        return None
    asked = ["rev-parse", "-q", "--verify", f"{commit}^{{commit}}"]
    return ask_git(asked, cwd=repository.top)


def commit_before(repository: Repository, moment: datetime) -> str | None:
    """Return the last commit of the checked-out branch before a moment, or None."""
    asked = ["rev-list", "-1", f"--before={int(moment.timestamp())}", "HEAD"]
    return ask_git(asked, cwd=repository.top) or None


def folder_of(path: str) -> str:
    """Return the folder of a path in a repository, "" for its top."""
    return "" if "/" not in path else str(Path(path).parent.as_posix())
