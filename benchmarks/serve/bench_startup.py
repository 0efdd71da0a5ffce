"""Start-up, as a ratio to a bare interpreter."""

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROUNDS = 15
CALMKB = [sys.executable, "-m", "calmkb"]
COMMANDS = {
    "python -c pass": ([sys.executable, "-c", "pass"], None),
    "import click": ([sys.executable, "-c", "import click"], None),
    "calmkb --help": ([*CALMKB, "--help"], 5.0),
    "calmkb session list (empty)": ([*CALMKB, "session", "list"], None),
}


def main() -> None:
    """Print the median of 15 runs of each, interleaved, in an empty knowledge base."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["git", "init", "-q", folder], check=True)
        (Path(folder) / "calmkb.toml").touch()
        measure(folder)


def measure(folder: str) -> None:
    """Run each command in `folder`, and print the table."""
    times: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for _ in range(ROUNDS):
        for name, (command, _goal) in COMMANDS.items():
            start = time.perf_counter()
            subprocess.run(command, capture_output=True, check=True, cwd=folder)
            times[name].append(time.perf_counter() - start)
    base = statistics.median(times["python -c pass"])
    print("| command | ms | ratio | goal |\n|---|---|---|---|")
    for name, (_, goal) in COMMANDS.items():
        median = statistics.median(times[name])
        wanted = "" if goal is None else f"≤ {goal:g}"
        missed = " (missed)" if goal is not None and median / base > goal else ""
        print(f"| {name} | {median * 1000:.0f} | {median / base:.1f} | {wanted}{missed} |")


if __name__ == "__main__":
    main()
