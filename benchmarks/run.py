"""Runs every benchmark of these folders, or those named: `run.py startup commit`.

Other words are for the benchmarks to read: `run.py similarity 10000`. `--help` names them all.
"""

import sys
from importlib import import_module
from pathlib import Path

HERE = Path(__file__).parent


def main() -> None:
    """Print the table of each benchmark; a goal that is missed is marked."""
    files = sorted(HERE.rglob("bench_*.py"))
    sys.path[:0] = [str(HERE), *sorted({str(path.parent) for path in files})]
    known = sorted(path.stem for path in files)
    if {"-h", "--help"} & {*sys.argv[1:]}:
        print(__doc__, *(f"  {name[6:]:16}{_title(name)}" for name in known), sep="\n")
        return
    wanted = [f"bench_{word.removeprefix('bench_')}" for word in sys.argv[1:]]
    for name in [name for name in wanted if name in known] or known:
        print(f"\n## {_title(name)}\n", flush=True)
        import_module(name).main()


def _title(name: str) -> str:
    return (import_module(name).__doc__ or name).splitlines()[0]


if __name__ == "__main__":
    main()
