"""Folders that must never be committed, kept out of git without touching a tracked file."""

from collections.abc import Sequence
from pathlib import Path

from calmkb.store.git.repository import Repository, find_repository
from calmkb.store.git.trees import is_ignored
from calmkb.system.files import write_atomically


def kept_out_of_git(folder: Path, files: Sequence[Path]) -> bool:
    """Return whether git ignores all of `files`, below `folder`; add that to `info/exclude` first.

    The repository's own ignore files are stronger than the exclude file, which is the clone's own:
    with a `!` they can make a file visible again. Outside a work tree there is nothing to do.
    """
    repository = find_repository(folder)
    if repository is None or _ignored(repository, files):
        return True
    named = repository.git.ask("rev-parse", "--git-path", "info/exclude")
    if named is None:
        return False
    path = repository.top / named
    before = path.read_bytes() if path.is_file() else b""
    inside = folder.resolve().relative_to(repository.top.resolve()).as_posix()
    escaped = "".join(f"\\{c}" if c in "\\*?[]! #" else c for c in inside)
    line = f"/{escaped}/\n".encode()
    if line not in before.splitlines(keepends=True):
        gap = b"\n" if before and not before.endswith(b"\n") else b""
        write_atomically(path, before + gap + line)
    return _ignored(repository, files)


def _ignored(repository: Repository, files: Sequence[Path]) -> bool:
    """Ask about the very files: one that is tracked is not ignored, whatever is written."""
    return all(is_ignored(repository, str(file)) for file in files)
