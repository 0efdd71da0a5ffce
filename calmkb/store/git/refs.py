"""HEAD and branch tips read from their files: a git process costs more than all our own work.

Only the plain cases are read here (a symbolic HEAD, a loose ref); None sends the caller to git,
which knows packed refs, reftable and whatever comes next.
"""

import json
import re
from pathlib import Path

from calmkb.system.git_files import common_dir, text_of

RECENT = "calmkb/recent.json"
"""Below the git directory: by branch, what calmkb committed and the tip it was last seen in."""
_SYMBOLIC = re.compile(r"ref: (refs/heads/[^\x00-\x20\x7f~^:?*\[\\]+)\n\Z")
_OBJECT_ID = re.compile(r"([0-9a-f]{40}|[0-9a-f]{64})\n\Z")
_REFTABLE = "refs/heads/.invalid"  # what HEAD says where refs are not files


def branch_in(git_dir: Path) -> str | None:
    """Return the branch that the HEAD file names, or None where only git can tell."""
    found = _SYMBOLIC.match(text_of(git_dir / "HEAD"))
    return found[1] if found and found[1] != _REFTABLE else None


def loose_tip(git_dir: Path, branch: str) -> str | None:
    """Return the commit in the branch's own file, or None where only git can tell."""
    found = _OBJECT_ID.match(text_of(common_dir(git_dir) / branch))
    return found[1] if found else None


def branch_moved(git_dir: Path) -> bool:
    """Return whether the checked-out branch moved since calmkb last looked at it.

    What only git can tell is left to the next command that writes.
    """
    branch = branch_in(git_dir)
    try:
        known = json.loads((git_dir / RECENT).read_bytes())["branches"][branch]
        seen, watched = known["seen"], bool(known["rows"])
    except (OSError, ValueError, KeyError, TypeError):
        return False
    tip = loose_tip(git_dir, branch) if branch and watched else None
    return tip is not None and tip != seen
