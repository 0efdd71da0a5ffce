"""Hooks, as a ratio to a bare interpreter: what an agent waits for while it works."""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

import calmkb.hook
from calmkb import recall
from calmkb.capture.hooks.commands import shell_command
from calmkb.store.signals.store import SignalStore
from calmkb.wings.proof.verbs.recall.switch import recall_command

ROUNDS = 25
SMALL, LARGE = 2_000, 1_000_000
SIGNALS = 500
MEMORIES = 200
QUEUE = "PostToolUseFailure"


def main() -> None:
    """Print the median of 25 runs of each, interleaved."""
    with tempfile.TemporaryDirectory() as folder:
        env = {**os.environ, "REFLECTIONS_DIR": folder, "HOME": folder}
        _fill(Path(folder))
        _leave_a_session(Path(folder), env)
        runs = _runs(Path(folder))
        times = _measure(runs, env)
    base = times["python -c pass"]
    print("| hook | ms | ratio | goal |\n|---|---|---|---|")
    for name, (_, _, goal) in runs.items():
        _row(name, times[name], times[name] / base, goal)
    large, small = times["queue by sh, 1 MB"], times["queue by sh, 2 KB"]
    _row("1 MB against 2 KB", large - small, large / small, 1.6)


def _runs(folder: Path) -> dict[str, tuple[list[str], bytes, float | None]]:
    small, large = _payload(SMALL), _payload(LARGE)
    shell = ["/bin/sh", "-c", shell_command(QUEUE)]
    python = [sys.executable, "-I", "-S", calmkb.hook.__file__, QUEUE]
    program, begin = [sys.executable, "-m", "calmkb"], ["hook", "SessionStart"]
    start = json.dumps({"cwd": str(folder / "project"), "source": "startup"}).encode()
    return {
        "python -c pass": ([sys.executable, "-c", "pass"], b"", None),
        "queue by sh, 2 KB": (shell, small, 0.35),
        "queue by sh, 1 MB": (shell, large, None),
        "queue by python -I -S, 2 KB": (python, small, 1.0),
        f"recall at a prompt, {MEMORIES} memories": (
            ["/bin/sh", "-c", recall_command()],
            _prompt(folder),
            2.0,
        ),
        f"statusline, {SIGNALS} signals": ([*program, "statusline"], b"{}", 5.0),
        # The first one finds what the three above have queued.
        "SessionStart, three failures queued": ([*program, *begin], start, None),
        "SessionStart, a session to be continued": ([*program, *begin], start, 12.0),
        "the same with --export": ([*program, *begin, "--export"], start, 12.0),
    }


def _prompt(folder: Path) -> bytes:
    """Have memories told in `folder`, and return a prompt that one of them fits."""
    texts = [
        f"Run make target{n} before module{n} is released to region{n}." for n in range(MEMORIES)
    ]
    rows = zip(texts, recall.weighed(texts), strict=True)
    memories = [{"id": f"{n}", "text": t, "terms": w} for n, (t, w) in enumerate(rows)]
    base = {"kb": "kb", "folder": str(folder.resolve()), "memories": memories}
    (folder / recall.INDEX).write_text(json.dumps([base]))
    said = {"session_id": "s", "cwd": str(folder), "prompt": "release module7 to region7, please"}
    return json.dumps(said).encode()


def _leave_a_session(folder: Path, env: dict[str, str]) -> None:
    """Make a project of 20 sessions in `folder`, the last of them left to be continued."""
    project = folder / "project"
    project.mkdir()
    program = [sys.executable, "-m", "calmkb"]
    commands = [["init", "."]]
    commands += [["wrapup", "--summary", f"Step {n}.", "--log", "none"] for n in range(19)]
    commands += [["wrapup", "continue", "--summary", "Half way.", "--next", "Go.", "--log", "none"]]
    for command in commands:
        subprocess.run([*program, *command], capture_output=True, check=True, env=env, cwd=project)


def _measure(
    runs: dict[str, tuple[list[str], bytes, float | None]], env: dict[str, str]
) -> dict[str, float]:
    times: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(ROUNDS):
        for name, (command, data, _goal) in runs.items():
            start = time.perf_counter()
            subprocess.run(command, input=data, capture_output=True, check=True, env=env)
            times[name].append(time.perf_counter() - start)
    return {name: statistics.median(taken) for name, taken in times.items()}


def _payload(size: int) -> bytes:
    said = {"session_id": "s", "tool_name": "Write", "tool_use_id": "t", "error": "x"}
    return json.dumps(said | {"tool_input": {"content": "x" * size}}).encode()


def _fill(folder: Path) -> None:
    fields = {"type": "failure", "content": "Bash failed: it is not there", "context": "x" * 150}
    store = SignalStore(folder, clean=lambda text: text)
    store.append_many([fields] * SIGNALS, now=datetime.now(UTC))


def _row(name: str, seconds: float, ratio: float, goal: float | None) -> None:
    wanted = "" if goal is None else f"≤ {goal:g}"
    missed = " (missed)" if goal is not None and ratio > goal else ""
    print(f"| {name} | {seconds * 1000:.1f} | {ratio:.2f} | {wanted}{missed} |")


if __name__ == "__main__":
    main()
