"""The official conformance runner against calmkb's server with the runner's own fixtures.

`make conformance` installs the runner and the Node that it needs beside this file.
"""

import re
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest

pytest.importorskip("mcp", reason="the [mcp] extra is not installed")
MODULES = Path(__file__).parent / "conformance" / "node_modules"
NODE = MODULES / ".bin" / "node"


@pytest.fixture
def address():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "tests.wings.mcp.conformance_server", str(port)]
    server = subprocess.Popen(
        command, cwd=Path(__file__).parents[3], stderr=subprocess.PIPE, text=True
    )
    while "running on" not in (said := server.stderr.readline()):
        assert said, f"the server ended: {server.wait(60)}"
    # What it goes on to say is read: a full pipe would hold the server, and so the runner, forever.
    reading = threading.Thread(target=server.stderr.read)
    reading.start()
    yield f"http://127.0.0.1:{port}/mcp"
    server.terminate()
    server.wait(60)
    reading.join(60)
    server.stderr.close()


@pytest.mark.skipif(not NODE.exists(), reason="the runner is not installed; run: make conformance")
@pytest.mark.parametrize("more", [(), ("--scenario", "json-schema-2020-12")])
def test_the_conformance_runner_finds_no_fault(address, more):
    program = MODULES / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"
    command = [str(NODE), str(program), "server", "--url", address, *more]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=200)
    said = done.stdout
    assert re.search(
        r"[1-9]\d* passed, 0 failed|Passed: [1-9]", said.splitlines()[-1] + said[-400:]
    )
    assert not re.search(r"\b[1-9]\d* failed", said), said[-3000:]
