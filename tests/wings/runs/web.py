"""A run journal served on a real socket, in a thread or in a process, and clients that follow."""

import asyncio
import json
import os
import shlex
import ssl
import subprocess
import threading
from collections.abc import Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from calmkb.kb.base.environment import Environment
from calmkb.kb.base.knowledge_base import open_kb
from calmkb.wings.runs.http.app import make_app
from calmkb.wings.runs.http.server import bound, make_server
from calmkb.wings.runs.store.store import open_journal
from calmkb.wings.runs.verbs.running import KbRunner
from tests.trust.support import allow_everything
from tests.warm import stood_for

TOKEN = "a-token-that-is-long-enough"
NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""For a client of plain HTTP: with one of its own, each would read all authorities' keys."""


@dataclass
class Web:
    """A server in a thread of this process."""

    base: str
    client: httpx.Client
    server: object = None
    journal: object = None
    loop: asyncio.AbstractEventLoop | None = None
    thread: threading.Thread | None = None

    def stop(self) -> None:
        """Stop as ^C does, and wait."""
        self.server.should_exit = True
        self.thread.join(30)
        assert not self.thread.is_alive()

    def call(self, coroutine):
        """Run a coroutine where the server runs and return what it gives."""
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result(30)

    def begin(self, agent="echo", task="hello", **more) -> dict:
        """Give an agent a task; return the reply."""
        return self.client.post(f"/agents/{agent}/run", json={"task": task, **more}).json()

    def follow(self, run_id, *, last=None, **query):
        """Yield the events of a run as they come, each an `Event`."""
        headers = {} if last is None else {"Last-Event-ID": str(last).encode()}
        address = f"/runs/{run_id}/subscribe"
        with self.client.stream("GET", address, params=query, headers=headers) as reply:
            assert reply.status_code == 200
            yield from events(reply.iter_lines())


@contextmanager
def serving(kb, url, *, token=None, port=0, **more):
    """Yield a `Web` on the journal at `url`; it is stopped afterwards if it still runs."""
    ready, box = threading.Event(), {}
    listener = bound("127.0.0.1", port)

    async def main():
        journal = await open_journal(url)
        await journal.fail_interrupted()
        runner = KbRunner(kb, journal, **more)
        app = make_app(journal, runner)
        number = listener.getsockname()[1]
        server = make_server(app, host="127.0.0.1", port=number, token=token)
        box.update(journal=journal, server=server, loop=asyncio.get_running_loop())
        ready.set()
        try:
            await server.serve(sockets=[listener])
        finally:
            await runner.close()
            await journal.close()

    def run():
        try:
            asyncio.run(main())
        finally:
            ready.set()

    thread = threading.Thread(target=run)
    base = f"http://127.0.0.1:{listener.getsockname()[1]}"
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    thread.start()
    assert ready.wait(60) and "server" in box
    with httpx.Client(base_url=base, headers=headers, timeout=60, verify=NO_TLS) as client:
        web = Web(base, client, thread=thread, **box)
        try:
            yield web
        finally:
            client.close()
            web.stop()


@dataclass
class Program:
    """`calmkb run serve` in a process of its own."""

    process: subprocess.Popen
    base: str
    port: int


def start_program(folder: Path, home: Path, *options: str, command: Sequence[str] = ()) -> Program:
    """Start `calmkb run serve` in a project's folder and wait until it listens.

    The person of `home` has allowed the agents that the settings name. To kill it, give COMMAND.
    """
    allow_everything(open_kb(Environment(home=home, cwd=folder, env=dict(os.environ))))
    env = {**os.environ, "HOME": str(home), "USERPROFILE": str(home)}
    process = subprocess.Popen(
        [*(command or stood_for()), "serve", *options],
        cwd=folder, env=env, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    said = process.stderr.readline()
    assert said.startswith("Runs at http"), said + process.stderr.read()
    base = said.split()[2].rstrip("/")
    return Program(process, base, int(base.rsplit(":", 1)[1]))


@dataclass
class Event:
    """One Server-Sent Event."""

    data: object = None
    id: str | None = None
    event: str = "message"
    comments: list[str] = field(default_factory=list)


def events(lines):
    """Yield the events in the lines of a stream; a comment alone is one too."""
    said, event = [], Event()
    for line in lines:
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if line == "":
            event.data = json.loads("\n".join(said)) if said else None
            yield event
            said, event = [], Event()
        elif name == "":
            event.comments.append(value)
        elif name == "data":
            said.append(value)
        elif name in ("id", "event"):
            setattr(event, name, value)


def kinds(found) -> list[str]:
    """Return the types of the entries among events, without heartbeats."""
    entries = [e.data["entry"] for e in found if e.data and e.data["type"] == "entry"]
    return [entry["entry_type"] for entry in entries if entry["entry_type"] != "thinking"]


class Tap:
    """An agent that says what a test pours into it: `cat` on a named pipe."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "tap"
        os.mkfifo(self.path)
        command = shlex.join(["cat", str(self.path)])
        self.settings = f'[agents.tap]\ncommand = "{command}"\n'
        self._pipe = None

    def pour(self, *lines: str) -> None:
        """Have the agent say lines; the first time waits until it listens."""
        self._pipe = self._pipe or self.path.open("w")
        self._pipe.write("".join(f"{line}\n" for line in lines))
        self._pipe.flush()

    def close(self) -> None:
        """Let the agent come to its end."""
        if self._pipe:
            self._pipe.close()
            self._pipe = None
