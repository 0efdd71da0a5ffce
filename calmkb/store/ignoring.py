"""Folders that must never be committed, kept out of git without touching a tracked file."""

from pathlib import Path

from calmkb.store.files import write_atomically
from calmkb.store.git import ask_git, find_repository


def keep_out_of_git(folder: Path) -> None:
    """Add `folder` to its repository's `info/exclude`, unless it is ignored already.

    Nothing happens outside a work tree. The exclude file is the clone's own: no commit shows it.
    """
    repository = find_repository(folder)
    if repository is None:
        return
    if ask_git(["check-ignore", "-q", "--", str(folder / "x")], cwd=repository.top) is not None:
        return
    named = ask_git(["rev-parse", "--git-path", "info/exclude"], cwd=repository.top)
    if named is None:
        return
    path = repository.top / named
    before = path.read_bytes() if path.is_file() else b""
    inside = folder.resolve().relative_to(repository.top.resolve()).as_posix()
    escaped = "".join(f"\\{c}" if c in "\\*?[]! #" else c for c in inside)
    gap = b"\n" if before and not before.endswith(b"\n") else b""
    write_atomically(path, before + gap + f"/{escaped}/\n".encode())
