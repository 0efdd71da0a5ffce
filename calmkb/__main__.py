"""The program: `calmkb` and `python -m calmkb`."""

import sys

from calmkb.cli.common import run
from calmkb.cli.root import calmkb


def main() -> None:
    """Run the command line and exit with its code."""
    sys.exit(run(calmkb))


if __name__ == "__main__":
    main()
