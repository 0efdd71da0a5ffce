"""Whether a path is really below a folder, with no link on the way: what a repository may not do.

Links above the folder are a person's own (a linked home, /tmp, a linked parent folder) and are
followed; a link below it can come from the author of the repository.
"""

import os
from pathlib import Path

from calmkb.errors import StoreError
from calmkb.system.paths import is_git_name, leads_elsewhere


def check_place(path: Path, top: Path) -> Path:
    """Return where `path` is below `top`, for writing and deleting.

    Raises StoreError where it is outside, behind a link, or in git's own folder.
    """
    place = os.path.realpath(top)
    for part in parts_below(path, top):
        if is_git_name(part):
            raise StoreError(f"{path} is in a folder that is git's own; choose another place")
        place = os.path.join(place, part)  # noqa: PTH118 - a Path takes four times as long
        if leads_elsewhere(place):
            raise StoreError(
                f"{place} is a symbolic link; calmkb writes only real files below {top}: "
                "replace the link with what it points to, or choose another place"
            )
    return Path(place)


def follow_inside(path: Path, top: Path) -> Path:
    """Return the real place of `path`, which may be behind links that stay below `top`.

    Raises StoreError where it is outside, or in git's own folder.
    """
    parts_below(path, top)
    real = Path(os.path.realpath(path))
    if not real.is_relative_to(os.path.realpath(top)):
        raise StoreError(
            f"{path} is a symbolic link to {real}, outside {top}: replace the link with a file "
            "of its own, or choose another place"
        )
    return check_place(real, top)


def parts_below(path: Path, top: Path) -> tuple[str, ...]:
    """Return the names that lead from `top` to `path`, whatever links lead to `top` itself.

    Raises StoreError where `path` is not below it.
    """
    whole = Path(os.path.abspath(path))  # noqa: PTH100 - `resolve` would follow the links we look for
    if whole.is_relative_to(top) and ".." not in top.parts:
        return whole.parts[len(top.parts) :]
    for folder in (*reversed(whole.parents), whole):
        try:
            found = folder.samefile(top)
        except OSError:
            found = folder == top
        if found:
            return whole.parts[len(folder.parts) :]
    raise StoreError(f"{path} is outside {top}; choose a place inside it")


def is_below(path: Path, top: Path) -> bool:
    """Return whether `path` is `top` or below it, by its name."""
    try:
        parts_below(path, top)
    except StoreError:
        return False
    return True
