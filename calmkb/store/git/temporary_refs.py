"""Refs that calmkb needs for a moment: of one work tree, one process and one use."""

import contextlib
import os
import uuid
from collections.abc import Iterator
from typing import TYPE_CHECKING

from calmkb.store.git.repository import Repository
from calmkb.system.programs import is_running

if TYPE_CHECKING:
    from calmkb.store.git.run import Git

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
        if _may_be_there(repository, name):
            repository.git.ask("update-ref", "-d", name)


def drop_dead_refs(repository: Repository) -> None:
    """Remove the refs of processes that do not run any more."""
    for name in refs_below(repository.git, PLACE) if _may_be_there(repository, PLACE) else ():
        if not is_running(name.rpartition("-")[2]):
            repository.git.ask("update-ref", "-d", name)


def _may_be_there(repository: Repository, name: str) -> bool:
    """Look without git: each write asks this, and a ref is a file but for reftable."""
    return (repository.git_dir / name).exists() or (repository.common_dir / "reftable").exists()


def refs_below(git: "Git", *places: str) -> list[str]:
    """Return the full names of the refs below `places`, sorted."""
    return list(filter(None, git.for_each_ref("--format=%(refname)", *places).split("\n")))
