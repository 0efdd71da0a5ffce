"""Refs that calmkb needs for a moment: of one work tree, and of one process."""

import os

from calmkb.store.git import Repository, run_git

PLACE = "refs/worktree/calmkb/"


def own_ref(purpose: str) -> str:
    """Return a ref of this process: a lock that a killed git left on one stops nobody else."""
    return f"{PLACE}{purpose}-{os.getpid()}"


def drop_own_refs(repository: Repository) -> int:
    """Remove what killed processes left, and return how many; for the write lock's holder alone."""
    listed = run_git(["for-each-ref", "--format=delete %(refname)", PLACE], cwd=repository.top)
    if listed:
        run_git(["update-ref", "--stdin"], cwd=repository.top, data=listed)
    return len(listed.splitlines())
