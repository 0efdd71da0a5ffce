"""Refs that calmkb needs for a moment: of one work tree, one process and one use."""

import contextlib
import os
import uuid
from collections.abc import Iterator

from calmkb.store.git.repository import Repository
from calmkb.store.git.run import ask_git, run_git

PLACE = "refs/worktree/calmkb/"


@contextlib.contextmanager
def own_ref(repository: Repository, purpose: str) -> Iterator[str]:
    """Yield the name of a new ref, removed at the end; those of killed processes go first.

    Nobody else uses the name: a lock that a killed git left on one stops nothing.
    """
    drop_dead_refs(repository)
    name = f"{PLACE}{purpose}-{uuid.uuid4().hex[:8]}-{os.getpid()}"
    try:
        yield name
    finally:
        ask_git(["update-ref", "-d", name], cwd=repository.top)


def drop_dead_refs(repository: Repository) -> None:
    """Remove the refs of processes that do not run any more."""
    listed = run_git(["for-each-ref", "--format=%(refname)", PLACE], cwd=repository.top)
    for name in listed.decode(errors="replace").splitlines():
        if not _runs(name.rpartition("-")[2]):
            ask_git(["update-ref", "-d", name], cwd=repository.top)


def _runs(process: str) -> bool:
    if os.name == "nt":  # asking would end it
        return True
    try:
        os.kill(int(process), 0)
    except (ProcessLookupError, ValueError, OverflowError):
        return False
    except PermissionError:  # another user's
        return True
    return True
