"""The journal of a code repository that is not in its work tree: found without starting git.

It is on a branch of its own, checked out inside the git directory that all work trees of a clone
share, or in a folder that a file there names. A committed file never decides: a repository of
somebody else must not point calmkb at a folder.
"""

import os
from pathlib import Path

from calmkb.system.git_files import common_dir, git_dir_at, text_of

JOURNAL_BRANCH = "calmkb-journal"
"""Not `calmkb`: proposals are branches `calmkb/NAME`, and git has no branch beside a folder."""
JOURNAL_REF = f"refs/heads/{JOURNAL_BRANCH}"
SHARED_REF = f"refs/remotes/origin/{JOURNAL_BRANCH}"
WORK_TREE = "calmkb/journal"
"""Below the shared git directory: the branch's work tree."""
ADMIN = "worktrees/journal"
"""Below the shared git directory: what git keeps of that work tree, also when it is deleted."""
NOTE = "calmkb/place"
"""Below the shared git directory: the folder of the journal, or `NOWHERE`."""
NOWHERE = "none"


def journal_of(top: Path) -> Path | None:
    """Return the journal that belongs to the repository whose work tree is `top`, or None.

    The branch of a fresh clone is known before its work tree is made.
    """
    git_dir = git_dir_at(top)
    if git_dir is None:
        return None
    shared = Path(os.path.normpath(common_dir(git_dir)))
    if noted := text_of(shared / NOTE).rstrip("\n"):
        return None if noted == NOWHERE else Path(os.path.normpath(shared / noted))
    place = shared / WORK_TREE
    known = is_checked_out(place) or (shared / ADMIN / "HEAD").is_file() or _is_shared(shared)
    return place if known else None


def is_journal_branch(root: Path) -> bool:
    """Return whether a knowledge base is, or would be, the work tree of the journal's branch."""
    return root.parts[-2:] == Path(WORK_TREE).parts and (root.parents[1] / "HEAD").is_file()


def is_checked_out(place: Path) -> bool:
    """Return whether the branch's work tree is there."""
    return (place / ".git").is_file()


def _is_shared(git_dir: Path) -> bool:
    """Return whether the remote had the branch when git last heard of it."""
    if (git_dir / SHARED_REF).is_file():
        return True
    try:
        packed = (git_dir / "packed-refs").read_bytes()
    except OSError:
        return False
    return f" {SHARED_REF}\n".encode() in packed
