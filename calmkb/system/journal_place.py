"""The journal of a code repository that is not in its work tree: found without starting git.

It is on a branch of its own, checked out inside the git directory that all work trees of a clone
share, or in a folder that is noted in the person's home. No file of the repository decides, nor of
its git directory, which may have come in an archive: it must not point calmkb at a folder.
"""

import os
from binascii import crc32
from pathlib import Path

from calmkb.system.git_files import common_dir, git_dir_at, text_of
from calmkb.system.paths import leads_elsewhere

JOURNAL_BRANCH = "calmkb-journal"
"""Not `calmkb`: proposals are branches `calmkb/NAME`, and git has no branch beside a folder."""
JOURNAL_REF = f"refs/heads/{JOURNAL_BRANCH}"
SHARED_REF = f"refs/remotes/origin/{JOURNAL_BRANCH}"
WORK_TREE = "calmkb/journal"
"""Below the shared git directory: the branch's work tree."""
ADMIN = "worktrees/journal"
"""Below the shared git directory: what git keeps of that work tree, also when it is deleted."""
_NOTES = ".calm/places"


def journal_of(top: Path, home: Path) -> Path | None:
    """Return the journal that belongs to the repository whose work tree is `top`, or None.

    The branch of a fresh clone is known before its work tree is made.
    """
    git_dir = git_dir_at(top)
    if git_dir is None:
        return None
    shared = common_dir(git_dir)
    if noted := noted_place(shared, home):
        return Path(noted)
    place = shared / WORK_TREE
    known = is_checked_out(place) or (shared / ADMIN / "HEAD").is_file() or _is_shared(shared)
    return place if known else None


def note_file(git_dir: Path, home: Path) -> Path:
    """Return where it is noted which folder holds the journal of a repository.

    Its first line is the shared git directory, the second the folder.
    """
    return home / _NOTES / f"{crc32(os.fsencode(git_dir)):08x}"


def noted_place(git_dir: Path, home: Path) -> str:
    """Return the folder that is noted for a repository, or nothing."""
    whose, _, folder = text_of(note_file(git_dir, home)).partition("\n")
    return folder.rstrip("\n") if whose == str(git_dir) else ""


def is_journal_branch(root: Path) -> bool:
    """Return whether a knowledge base is, or would be, the work tree of the journal's branch."""
    return root.parts[-2:] == Path(WORK_TREE).parts and (root.parents[1] / "HEAD").is_file()


def is_checked_out(place: Path) -> bool:
    """Return whether the branch's work tree is there, and is one of this repository.

    An archive may bring files that lead to a repository of the person's.
    """
    shared = place.parents[1]
    admin = Path(os.path.normpath(place / text_of(place / ".git").removeprefix("gitdir: ").strip()))
    return (
        admin.parent == shared / "worktrees"
        and common_dir(admin) == shared
        and not any(map(leads_elsewhere, (place, place.parent, admin, admin.parent)))
    )


def _is_shared(git_dir: Path) -> bool:
    """Return whether the remote had the branch when git last heard of it."""
    if (git_dir / SHARED_REF).is_file():
        return True
    try:
        packed = (git_dir / "packed-refs").read_bytes()
    except OSError:
        return False
    return f" {SHARED_REF}\n".encode() in packed
