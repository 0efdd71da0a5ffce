"""The program: `calmkb` and `python -m calmkb`."""

import sys

from calmkb.cli.base.quick import ran


def main() -> None:
    """Run the command line and exit with its code."""
    if ran(sys.argv[1:]):
        return
    from calmkb.cli.base.common import run
    from calmkb.cli.root import calmkb

    sys.exit(run(calmkb))


if __name__ == "__main__":
    main()
