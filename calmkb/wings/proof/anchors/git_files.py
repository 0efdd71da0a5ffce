"""The files that code is checked against: names, texts and words of a commit or the work tree."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path

from calmkb.errors import GitFailedError, StoreError
from calmkb.store.git.repository import Repository
from calmkb.store.git.trees import FILE_LIMIT, batch, is_ignored, names_in, texts_of, tree_entries
from calmkb.system.files import read_bytes
from calmkb.system.safe_paths import check_place

_WORDS_AT_ONCE = 200
_LINK = "120000"
_DOCUMENTS = ("*.md", "*.mdc", "*.mdx", "*.markdown", "*.rst", "*.txt")


@dataclass(frozen=True)
class CommitFiles:
    """What a commit holds."""

    repository: Repository
    commit: str

    @cached_property
    def entries(self) -> dict[str, str]:
        """Return path → "MODE ID" of all files."""
        return tree_entries(self.repository, self.commit)

    def files(self) -> frozenset[str]:
        """Return the paths of all files, from the top of the repository."""
        return frozenset(self.entries)

    def read(self, paths: Iterable[str]) -> dict[str, str]:
        """Return the texts of those of `paths` that are files of at most a megabyte, no links."""
        plain = (path for path in paths if not self.entries.get(path, "").startswith(_LINK))
        return texts_of(self.repository, self.commit, plain)

    def words(self, names: Iterable[str]) -> set[str]:
        """Return those of `names` that occur as whole words in a file that is no document."""
        return _grep(self.repository, names, self.commit)


@dataclass(frozen=True)
class WorkTreeFiles:
    """What lies in the work tree and is not ignored, committed or not."""

    repository: Repository

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
                continue
        return found

    def words(self, names: Iterable[str]) -> set[str]:
        """Return those of `names` that occur as whole words in a file that is no document."""
        return _grep(self.repository, names, "--untracked")

    def is_elsewhere(self, path: str) -> bool:
        """Whether a path that is no file of the repository lies on the disk, or is ignored."""
        if (self.repository.top / path).exists():
            return True
        return any(is_ignored(self.repository, one, "--no-index") for one in (path, f"{path}/"))


def blob_texts(repository: Repository, blobs: Iterable[str]) -> dict[str, str]:
    """Return the texts of those blobs that the repository has and that are at most a megabyte."""
    return dict(batch(repository, {blob: blob for blob in sorted(set(blobs))}))


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
    listed = repository.git.diff_tree(
        "-r", "-M", "-z", "--root", "--no-commit-id", "--name-status", "--diff-filter=R", identity
    ).split("\0")
    moves = dict(zip(listed[1::3], listed[2::3], strict=False))
    return Removal(identity, subject, _new_place(path, moves))


def _new_place(path: str, moves: dict[str, str]) -> str:
    """Return where a file went, or the folder into which most files of a folder went."""
    if path in moves:
        return moves[path]
    counted = Counter(
        new.removesuffix(f"/{below}")
        for old, new in moves.items()
        if (below := old.removeprefix(f"{path}/")) != old and new.endswith(f"/{below}")
    )
    return max(counted, key=lambda one: counted[one], default="")


def commit_before(repository: Repository, moment: datetime) -> str | None:
    """Return the last commit of the checked-out branch before a moment, or None."""
    asked = ("-1", f"--before={int(moment.timestamp())}", "HEAD")
    return repository.git.ask("rev-list", *asked) or None


def folder_of(path: str) -> str:
    """Return the folder of a path in a repository, "" for its top."""
    return "" if "/" not in path else str(Path(path).parent.as_posix())


def _grep(repository: Repository, names: Iterable[str], where: str) -> set[str]:
    wanted = sorted(set(names))
    found: set[str] = set()
    for start in range(0, len(wanted), _WORDS_AT_ONCE):
        some = [part for name in wanted[start : start + _WORDS_AT_ONCE] for part in ("-e", name)]
        options = ("-I", "-h", "-o", "-w", "-F", "--no-color", "--no-textconv", *some)
        kept_out = (f":(exclude,top){one}" for one in _DOCUMENTS)
        try:
            out = repository.git.grep(*options, where, "--", ".", *kept_out)
        except GitFailedError as error:
            if error.stderr:
                raise
            continue  # none of them
        found |= set(out.split("\n"))
    return found & set(wanted)
