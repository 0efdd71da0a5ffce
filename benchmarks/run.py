"""Runs every benchmark of this folder, or those named: `run.py startup commit`.

Other words are for the benchmarks to read: `run.py similarity 10000`.
"""

import sys
from importlib import import_module
from pathlib import Path

HERE = Path(__file__).parent


def main() -> None:
    """Print the table of each benchmark; a goal that is missed is marked."""
    sys.path.insert(0, str(HERE))
    known = sorted(path.stem for path in HERE.glob("bench_*.py"))
    wanted = [f"bench_{word.removeprefix('bench_')}" for word in sys.argv[1:]]
    for name in [name for name in wanted if name in known] or known:
        module = import_module(name)
        print(f"\n## {(module.__doc__ or name).splitlines()[0]}\n", flush=True)
        module.main()


if __name__ == "__main__":
    main()
