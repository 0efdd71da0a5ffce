"""Two servers on one PostgreSQL behind a real reverse proxy, which clients alone know."""

import queue
import shutil
import socket
import subprocess
import threading
import time

import pytest

pytest.importorskip("fastapi", reason="the [runs] extra is not installed")

from calmkb.wings.runs.client import AgentClient
from tests.warm import COMMAND
from tests.wings.runs.conftest import postgres_url
from tests.wings.runs.support import make_kb
from tests.wings.runs.web import TOKEN, start_program

SLOW = "[agents.slow]\ncommand = \"sh -c 'echo begun; sleep 600'\"\n"
CONFIGURATION = """
pid {folder}/nginx.pid;
events {{}}
http {{
  access_log off;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  upstream runs {{ server 127.0.0.1:{first}; server 127.0.0.1:{second} backup; }}
  server {{
    listen 127.0.0.1:{port};
    location / {{ proxy_pass http://runs; proxy_set_header Host $host; }}
  }}
}}
"""


@pytest.fixture
def servers(tmp_path, home, tap, postgres, emptied):
    """Return two servers, each in a process, on one database."""
    kb = make_kb(tmp_path, tap.settings + SLOW)
    options = ("--port", "0", "--token", TOKEN, "--database", postgres_url(postgres, emptied))
    begun = [start_program(kb.environment.cwd, home, *options, command=COMMAND) for _ in range(2)]
    yield begun
    for program in begun:
        program.process.terminate()
        program.process.communicate(timeout=30)


@pytest.fixture
def proxy(tmp_path, servers):
    """Return the address of a proxy: the second server is asked when the first one is gone."""
    program = shutil.which("nginx")
    if not program:
        pytest.skip("nginx is not installed")
    folder, port = tmp_path / "proxy", _free_port()
    folder.mkdir()
    configuration = folder / "nginx.conf"
    configuration.write_text(CONFIGURATION.format(
        folder=folder, first=servers[0].port, second=servers[1].port, port=port))  # fmt: skip
    process = subprocess.Popen(
        [program, "-p", folder, "-e", "stderr", "-c", configuration,
         "-g", "daemon off; master_process off;"],
    )  # fmt: skip
    _wait_for(process, port)
    yield f"http://127.0.0.1:{port}"
    process.terminate()
    process.wait(30)


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return taken.getsockname()[1]


def _wait_for(process, port):
    """Wait until the proxy listens."""
    until = time.monotonic() + 30
    while time.monotonic() < until and process.poll() is None:
        try:
            return socket.create_connection(("127.0.0.1", port)).close()
        except OSError:
            time.sleep(0.02)
    raise AssertionError("the proxy does not start")


class Follower:
    """A client in a thread that follows a run through the proxy."""

    def __init__(self, base, run):
        self.found, self._run, self._client = queue.Queue(), run, AgentClient(base, TOKEN)
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for event in self._client.subscribe(self._run):
            self.found.put(event)

    def next(self):
        """Return the next event that is no heartbeat."""
        while True:
            event = self.found.get(timeout=60)
            if event["type"] == "complete" or event["entry"]["entry_type"] != "thinking":
                return event

    def text(self):
        return self.next()["entry"]["data"]["text"]


def test_a_server_killed_behind_a_proxy_is_not_noticed_by_who_follows_a_run_of_the_other(
    servers, proxy, tap
):
    first, second = servers
    other = AgentClient(second.base, TOKEN)
    other.create_session("tap")
    followed = Follower(proxy, other.start_run("talk"))
    assert followed.next()["entry"]["entry_type"] == "run:started"
    tap.pour("one")
    assert followed.text() == "one"
    mine = AgentClient(proxy, TOKEN)
    mine.create_session("slow")
    lost = Follower(proxy, mine.start_run("wait"))
    assert [lost.next()["entry"]["entry_type"] for _ in range(2)] == ["run:started", "text"]

    first.process.kill()
    first.process.wait()
    tap.pour("two")
    assert followed.text() == "two"
    tap.close()
    assert followed.next()["entry"]["entry_type"] == "run:complete"
    assert followed.next()["run"]["status"] == "completed"

    assert lost.next()["entry"]["data"]["error"] == "the process that ran it was stopped"
    assert lost.next()["run"]["status"] == "failed"
    mine.reset_session()
    assert mine.run_agent("echo", "still here")["status"] == "completed"
