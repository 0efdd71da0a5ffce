"""The MCP server until `initialize` is answered, as a ratio to the bare import of the SDK."""

import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROUNDS = 9
GOAL = 1.15
BARE = [sys.executable, "-c", "import mcp.server"]
SERVER = [sys.executable, "-m", "calmkb", "mcp"]
HELLO = json.dumps(
    {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "bench", "version": "1"},
        },
    }
)


def main() -> None:
    """Print the medians of 9 runs each, interleaved."""
    bare, served = [], []
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "calmkb.toml").touch()
        for _ in range(ROUNDS):
            start = time.perf_counter()
            subprocess.run(BARE, check=True)
            bare.append(time.perf_counter() - start)
            served.append(until_answered(folder))
    base, ours = statistics.median(bare), statistics.median(served)
    missed = " (missed)" if ours / base > GOAL else ""
    print("| | ms | ratio | goal |\n|---|---|---|---|")
    print(f"| `import mcp.server` | {base * 1000:.0f} | 1 | |")
    print(f"| `calmkb agents mcp` | {ours * 1000:.0f} | {ours / base:.2f} | ≤ {GOAL}{missed} |")


def until_answered(folder: str) -> float:
    """Return the seconds from the start of the process to its first line."""
    start = time.perf_counter()
    with subprocess.Popen(
        SERVER, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as program:
        if program.stdin is None or program.stdout is None:
            raise SystemExit("no pipes")
        program.stdin.write(HELLO + "\n")
        program.stdin.flush()
        answer = json.loads(program.stdout.readline())
        spent = time.perf_counter() - start
        program.kill()
    if "result" not in answer:
        raise SystemExit(f"no answer: {answer}")
    return spent


if __name__ == "__main__":
    main()
