"""Whole commands on large journals: processor seconds and peak memory, the second run of each."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from generator import generate

SIZES = (1_000, 10_000, 100_000)
COMMANDS = (
    ("session", "list"),
    ("check",),
    ("export",),
    ("memory", "list"),
    ("stats",),
    ("reflect", "--dry-run"),
)


def main() -> None:
    """Print a row for each command and size; `run.py scale 10000` measures one size."""
    sizes = [int(word) for word in sys.argv[2:] if word.isdigit()] or list(SIZES)
    print("| command | entries | first, s | again, s | peak of either, MB |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for size in sizes:
            root = Path(folder) / str(size)
            generate(root, size)
            for command in COMMANDS:
                (first, one), (again, other) = measure(root, command), measure(root, command)
                cells = f"{size:,} | {first:.1f} | {again:.1f} | {max(one, other):.0f}"
                print(f"| calmkb {' '.join(command)} | {cells} |", flush=True)


def measure(root: Path, command: tuple[str, ...]) -> tuple[float, float]:
    """Return the processor seconds and the peak of memory, in MB, of one run."""
    arguments = [sys.executable, "-m", "calmkb", "--kb", str(root), *command]
    with subprocess.Popen(arguments, stdout=subprocess.DEVNULL) as child:
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


if __name__ == "__main__":
    main()
