"""HEAD and branch tips read from their files: a git process costs more than all our own work.

Only the plain cases are read here (a symbolic HEAD, a ref in a file of its own or packed); None
sends the caller to git, which knows reftable and whatever comes next.
"""

import re
from pathlib import Path
from typing import Any

from calmkb.system.files import read_json
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


def tip_in(git_dir: Path, ref: str) -> str | None:
    """Return the commit of a ref, by its full name, or None where only git can tell."""
    shared = common_dir(git_dir)
    if (shared / ref).exists():
        found = _OBJECT_ID.match(text_of(shared / ref))
        return found[1] if found else None
    packed = f"\n{text_of(shared / 'packed-refs')}".partition(f" {ref}\n")
    found = _OBJECT_ID.match(packed[0].rpartition("\n")[2] + "\n") if packed[1] else None
    return found[1] if found else None


def branch_moved(git_dir: Path) -> bool:
    """Return whether the checked-out branch moved since calmkb last looked at it.

    What only git can tell is left to the next command that writes.
    """
    branch = branch_in(git_dir)
    try:
        known = noted(git_dir)[branch]
        tip = tip_in(git_dir, branch) if branch and known["rows"] else None
        return tip is not None and tip != known["seen"]
    except (KeyError, TypeError):
        return False


def own_paths(git_dir: Path, old: str, new: str) -> list[str] | None:
    """Return what calmkb wrote where it alone moved the branch from `old` to `new`; None if not.

    Paths from the top of the work tree, more than those of these commits.
    """
    try:
        known = noted(git_dir)[branch_in(git_dir)]
        is_ours = {old, new} <= {*known["tips"]}
        return [str(row["path"]) for row in known["rows"]] if is_ours else None
    except (KeyError, TypeError):
        return None


def noted(git_dir: Path) -> dict[str | None, Any]:
    """Return what calmkb remembers of each branch that it wrote to."""
    kept = read_json(git_dir / RECENT)
    found = kept.get("branches") if isinstance(kept, dict) else None
    return found if isinstance(found, dict) else {}
