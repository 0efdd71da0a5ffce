"""The program: `calmkb` and `python -m calmkb`."""

import os
import sys

from calmkb.cli.base.quick import ran


def main() -> None:
    """Run the command line and exit with its code."""
    _open_what_is_closed()
    if ran(sys.argv[1:]):
        return
    from calmkb.cli.base.common import run
    from calmkb.cli.root import calmkb

    sys.exit(run(calmkb))


def _open_what_is_closed() -> None:
    """Open a standard stream that is closed: a file opened later would take its number.

    What is printed to a closed output fails, as on a full disk.
    """
    for name, mode, flags in (
        ("stdin", "r", os.O_RDONLY), ("stdout", "w", os.O_RDONLY), ("stderr", "w", os.O_WRONLY),
    ):  # fmt: skip
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, flags), mode))


if __name__ == "__main__":
    main()
