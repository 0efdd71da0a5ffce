"""Runs every benchmark of this folder, or those named: `run.py startup commit`."""

import sys
from importlib import import_module
from pathlib import Path

HERE = Path(__file__).parent


def main() -> None:
    """Print the table of each benchmark; a goal that is missed is marked."""
    sys.path.insert(0, str(HERE))
    names = sys.argv[1:] or sorted(path.stem for path in HERE.glob("bench_*.py"))
    for name in names:
        module = import_module(name if name.startswith("bench_") else f"bench_{name}")
        print(f"\n## {(module.__doc__ or name).splitlines()[0]}\n", flush=True)
        module.main()


if __name__ == "__main__":
    main()
