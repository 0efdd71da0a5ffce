"""The server killed in mid-run: those who followed come back and miss nothing, twice nothing.

Each round kills it while several clients follow two runs, each client at another place.
CALMKB_SOAK=1 makes twenty rounds.
"""

import asyncio
import json
import os
import select
import shlex
import sys
from dataclasses import dataclass, field

import pytest

pytest.importorskip("fastapi", reason="the [runs] extra is not installed")

import httpx

from tests.warm import COMMAND
from tests.wings.runs.support import make_kb
from tests.wings.runs.web import start_program

ROUNDS = 20 if os.environ.get("CALMKB_SOAK") else 1
CLIENTS = 4
RUNS = 2
TALKER = """
import itertools
for number in itertools.count():
    print(f"line {number}", flush=True)
"""


@dataclass
class Follower:
    """A client that keeps what it saw, and comes back with the number of the last of it."""

    run: str
    enough: int
    seen: list = field(default_factory=list)
    end: dict | None = None

    async def follow(self, base, reached):
        """Read until the stream ends; say when enough has been seen."""
        last = self.seen[-1][0] if self.seen else 0
        headers = {"Last-Event-ID": str(last)} if last else {}
        async with httpx.AsyncClient(base_url=base, timeout=60) as client:
            try:
                async with client.stream(
                    "GET", f"/runs/{self.run}/subscribe", headers=headers
                ) as reply:
                    assert reply.status_code == 200
                    await self._read(reply, reached)
            except httpx.TransportError:
                return

    async def _read(self, reply, reached):
        data = None
        async for line in reply.aiter_lines():
            name, _, value = line.partition(": ")
            if name == "data":
                data = json.loads(value)
                if data["type"] == "complete":
                    self.end = data["run"]
                    return
            elif name == "id":
                self.seen.append((int(value), data["entry"]["id"], data["entry"]["entry_type"]))
                if len(self.seen) >= self.enough:
                    reached.set()


async def until_killed(program, followers, before=lambda: None):
    """Follow until every client has seen enough, kill the server, and wait for all to notice."""
    marks = [asyncio.Event() for _ in followers]
    async with asyncio.TaskGroup() as group:
        for follower, mark in zip(followers, marks, strict=True):
            group.create_task(follower.follow(program.base, mark))
        async with asyncio.timeout(60):
            for mark in marks:
                await mark.wait()
        before()
        program.process.kill()
    program.process.communicate()


async def until_the_end(base, followers):
    async with asyncio.timeout(60), asyncio.TaskGroup() as group:
        for follower in followers:
            group.create_task(follower.follow(base, asyncio.Event()))


def begin(base):
    reply = httpx.post(f"{base}/agents/talker/run", json={"task": "talk"}, timeout=60)
    assert reply.status_code == 201, reply.text
    return reply.json()["runId"]


def check(base, follower):
    """Compare what a client saw with what is kept."""
    whole = httpx.get(f"{base}/runs/{follower.run}", timeout=60).json()
    kept = [(e["sequenceNumber"], e["id"], e["entryType"]) for e in whole["entries"]]
    assert follower.seen == kept
    assert [number for number, _, _ in kept] == list(range(1, len(kept) + 1))
    assert [kind for _, _, kind in kept].count("run:error") == 1 and kept[-1][2] == "run:error"
    assert (whole["run"]["status"], follower.end["status"]) == ("failed", "failed")
    assert "stopped" in whole["entries"][-1]["data"]["error"]


def test_a_server_killed_in_mid_run_loses_nothing_that_a_client_has_seen(tmp_path, home):
    talker = tmp_path / "talker.py"
    talker.write_text(TALKER)
    command = shlex.join([sys.executable, str(talker)])
    kb = make_kb(tmp_path, f'[agents.talker]\ncommand = "{command}"\n')
    program = start_program(kb.environment.cwd, home, "--port", "0", command=COMMAND)
    try:
        for number in range(ROUNDS):
            runs = [begin(program.base) for _ in range(RUNS)]
            followers = [
                Follower(run, enough=2 + number % 5 + 3 * client)
                for run in runs
                for client in range(CLIENTS)
            ]
            asyncio.run(until_killed(program, followers))
            assert all(follower.end is None for follower in followers)
            program = start_program(
                kb.environment.cwd, home, "--port", str(program.port), command=COMMAND
            )
            asyncio.run(until_the_end(program.base, followers))
            for follower in followers:
                check(program.base, follower)
    finally:
        program.process.terminate()
        program.process.communicate(timeout=30)


def test_a_server_that_is_interrupted_leaves_at_once_with_streams_open(tmp_path, home):
    kb = make_kb(tmp_path, "[agents.silent]\ncommand = \"sh -c 'echo begun; sleep 600'\"\n")
    program = start_program(kb.environment.cwd, home, "--port", "0", command=COMMAND)
    run = httpx.post(f"{program.base}/agents/silent/run", json={"task": "x"}, timeout=60).json()
    follower = Follower(run["runId"], enough=2)

    async def interrupted():
        reached = asyncio.Event()
        following = asyncio.create_task(follower.follow(program.base, reached))
        async with asyncio.timeout(60):
            await reached.wait()
            program.process.send_signal(2)
            await following

    asyncio.run(interrupted())
    _, said = program.process.communicate(timeout=30)
    assert program.process.returncode == 130
    assert "Traceback" not in said and "exceeded" not in said
    assert (follower.end["status"], follower.end["result"]) == ("cancelled", {"error": "cancelled"})
    assert [kind for _, _, kind in follower.seen][-1] == "run:error"


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="needs Linux")
def test_a_killed_server_takes_its_agents_and_all_their_children_with_it(tmp_path, home):
    escape, pids = tmp_path / "escape.sh", shlex.quote(str(tmp_path / "pids"))
    escape.write_text(
        f'setsid sh -c \'trap "" TERM; echo $$ >> "$0"; sleep 600; sleep 600\' {pids} &\n'
        f"echo $$ >> {pids}\nuntil [ $(wc -l < {pids}) = 2 ]; do :; done\n"
        "echo begun; exec sleep 600"
    )
    kb = make_kb(tmp_path, f'[agents.silent]\ncommand = "sh {shlex.quote(str(escape))}"\n')
    program, watched = start_program(kb.environment.cwd, home, "--port", "0", command=COMMAND), []
    run = httpx.post(f"{program.base}/agents/silent/run", json={"task": "x"}, timeout=60).json()
    follower = Follower(run["runId"], enough=2)
    asyncio.run(until_killed(program, [follower], before=lambda: watched.extend(_watch(tmp_path))))
    assert len(watched) == 2
    for process in watched:
        assert select.select([process], [], [], 5)[0], "it is still there after five seconds"
        os.close(process)


def _watch(folder):
    return [os.pidfd_open(int(pid)) for pid in (folder / "pids").read_text().split()]
