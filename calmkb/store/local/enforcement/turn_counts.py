"""How many edits each session had when its last turn ended, written by the hook's shell."""

import contextlib
from pathlib import Path

from calmkb.system.files import make_private_folder

NAME = "turns"
_KEPT_SECONDS = 14 * 86_400


def keep_counts(state: Path, now: float) -> None:
    """Make the folder that the shell writes in, and drop the files of sessions long over.

    Where it cannot be made nothing is kept, and each end of a turn is looked at.
    """
    with contextlib.suppress(OSError):
        make_private_folder(state / NAME)
        for path in (state / NAME).iterdir():
            if path.stat().st_mtime < now - _KEPT_SECONDS:
                path.unlink()
