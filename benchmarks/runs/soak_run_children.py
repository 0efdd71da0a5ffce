"""Kill a server of runs again and again: is a child left, is an acknowledged entry lost?

`python benchmarks/runs/soak_run_children.py [ROUNDS] [postgres]` (50, SQLite): each round starts
`calmkb run serve`, begins three runs whose programs have children (in sessions of their own,
ignoring SIGTERM), reads them for a moment, and kills the server. Another server on the same
database says when it tells that the runs have failed, and what is left of them. Linux.
"""

import contextlib
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

MARK = "CALMKB_SOAK_MARK"
AGENT = (
    "setsid sh -c 'trap \"\" TERM; sleep 900; sleep 900' &\n(trap '' TERM; sleep 900) &\n"
    "n=0; while :; do n=$((n+1)); echo line $n; sleep 0.01; done\n"
)
RUNS = 3


def main(rounds: int, *, postgres: bool) -> int:
    """Print a line a round; return 1 where a child was left or an entry lost."""
    chance = random.Random(22)
    left = lost = seen_all = 0
    slowest, told = 0.0, list[float]()
    with tempfile.TemporaryDirectory() as folder, _database(postgres) as database:
        project, env = _prepare(Path(folder))
        env |= database
        watcher, base = _serve(project, {**env, MARK: ""})
        for number in range(rounds):
            seen, killed = _one_round(project, env, chance.uniform(0.2, 1.5))
            gone, seconds = _until_gone(5.0, killed)
            left, slowest = left + gone, max(slowest, seconds)
            told.append(_until_told(base, seen, killed))
            missing = _missing(base, seen)
            lost, seen_all = lost + missing, seen_all + sum(map(len, seen.values()))
            print(f"{number + 1}: {gone} left, gone after {seconds:.2f} s, told after "
                  f"{told[-1]:.2f} s, {missing} lost", flush=True)  # fmt: skip
        watcher.terminate()
        watcher.communicate()
    print(
        f"{rounds} kills: {left} processes left after 5 s (slowest {slowest:.2f} s); "
        f"{seen_all} acknowledged entries, {lost} lost; told after {statistics.median(told):.1f} s "
        f"(slowest {max(told):.1f} s)"
    )
    return 1 if left or lost else 0


@contextlib.contextmanager
def _database(postgres: bool) -> Iterator[dict[str, str]]:
    if not postgres:
        yield {}
        return
    sys.path.insert(0, str(Path(__file__).parents[2]))
    from tests.wings.runs.postgres import Server

    server = Server(durable=True)
    try:
        yield {"CALMKB_RUNS_URL": server.address(server.new_database())}
    finally:
        server.remove()


def _prepare(folder: Path) -> tuple[Path, dict[str, str]]:
    project, home = folder / "project", folder / "home"
    project.mkdir()
    home.mkdir()
    subprocess.run(["git", "init", "-q", str(project)], check=True)
    (folder / "agent.sh").write_text(AGENT)
    settings = f'[agents.talker]\ncommand = "sh {folder / "agent.sh"}"\n'
    (project / "calmkb.toml").write_text(settings)
    env = {**os.environ, "HOME": str(home), MARK: "1"}
    _allow(project, home)
    return project, env


def _allow(project: Path, home: Path) -> None:
    sys.path.insert(0, str(Path(__file__).parents[2]))
    from calmkb.kb.base.environment import Environment
    from calmkb.kb.base.knowledge_base import open_kb
    from tests.trust.support import allow_everything

    allow_everything(open_kb(Environment(home=home, cwd=project, env=dict(os.environ))))


def _serve(project: Path, env: dict[str, str]) -> tuple[subprocess.Popen[str], str]:
    server = subprocess.Popen(
        [sys.executable, "-m", "calmkb", "serve", "--port", "0"],
        cwd=project, env=env, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert server.stderr
    return server, server.stderr.readline().split()[2].rstrip("/")


def _one_round(
    project: Path, env: dict[str, str], seconds: float
) -> tuple[dict[str, set[str]], float]:
    """Return the ids of the entries that were read of each run, and the moment of the kill."""
    server, base = _serve(project, env)
    runs = [_ask(f"{base}/agents/talker/run", {"task": "talk"})["runId"] for _ in range(RUNS)]
    until = time.monotonic() + seconds
    seen: dict[str, set[str]] = {run: set() for run in runs}
    while time.monotonic() < until:
        for run in runs:
            seen[run] |= {entry["id"] for entry in _ask(f"{base}/runs/{run}")["entries"]}
    server.kill()
    killed = time.monotonic()
    server.communicate()
    return seen, killed


def _until_told(base: str, seen: dict[str, set[str]], began: float) -> float:
    """Return the seconds until the other server says of every run that it has failed."""
    for run in seen:
        while _ask(f"{base}/runs/{run}")["run"]["status"] == "running":
            if time.monotonic() - began > 60:
                raise SystemExit(f"run {run} is still running after a minute")
            time.sleep(0.05)
    return time.monotonic() - began


def _until_gone(limit: float, began: float) -> tuple[int, float]:
    while (left := _marked()) and time.monotonic() - began < limit:
        time.sleep(0.05)
    return len(left), time.monotonic() - began


def _marked() -> list[str]:
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            state = (process / "stat").read_text().rsplit(")", 1)[1].split()[0]
            if state not in "ZX" and f"{MARK}=1".encode() in (process / "environ").read_bytes():
                found.append(process.name)
        except OSError:
            continue
    return found


def _missing(base: str, seen: dict[str, set[str]]) -> int:
    missing = 0
    for run, ids in seen.items():
        whole = _ask(f"{base}/runs/{run}")
        missing += len(ids - {entry["id"] for entry in whole["entries"]})
        assert whole["run"]["status"] == "failed"
    return missing


def _ask(address: str, body: object = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(address, data, {"content-type": "application/json"})  # noqa: S310
    with urllib.request.urlopen(request, timeout=60) as reply:  # noqa: S310
        return json.load(reply)


if __name__ == "__main__":
    counts = [int(word) for word in sys.argv[1:] if word.isdigit()]
    sys.exit(main(*(counts or [50]), postgres="postgres" in sys.argv))
