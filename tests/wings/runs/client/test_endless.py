"""Servers whose replies do not end: a sentence that names them, in the time that is set."""

import socket
import threading
from contextlib import suppress
from urllib.request import Request

import pytest

from calmkb.wings.runs.addresses import opened, read_whole

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
FLOODS = {
    "blanks": (HEAD + b"\r\n", b" " * 65_536),
    "one text": (HEAD + b'\r\n{"a":"', b"x" * 65_536),
    "chunks": (
        HEAD + b"Transfer-Encoding: chunked\r\n\r\n",
        b"10000\r\n" + b" " * 65_536 + b"\r\n",
    ),
    "a refusal": (b"HTTP/1.1 500 Error\r\n\r\n", b" " * 65_536),
}
DRIPS = {
    "a body": (HEAD + b"\r\n", b" "),
    "a header": (b"HTTP/1.1 200 OK\r\nX: ", b"a"),
    "a status": (b"HTTP/1.1 ", b"2"),
    "continue": (b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
}


@pytest.fixture
def endless():
    """Return a function that serves a beginning and a piece, again and again, at an address."""
    gone, servers = threading.Event(), []

    def serve(begin: bytes, piece: bytes, wait: float) -> str:
        def answer() -> None:
            with suppress(OSError):
                while True:
                    with server.accept()[0] as one:
                        one.recv(65_536)
                        one.sendall(begin)
                        while not gone.wait(wait):
                            one.sendall(piece)

        server = socket.create_server(("127.0.0.1", 0))
        servers.append(server)
        threading.Thread(target=answer, daemon=True).start()
        return f"http://127.0.0.1:{server.getsockname()[1]}"

    yield serve
    gone.set()
    for server in servers:
        server.close()


@pytest.mark.parametrize("reply", FLOODS.values(), ids=FLOODS)
def test_a_flood_is_cut_off(endless, project, cli, monkeypatch, reply):
    address = endless(*reply, 0)
    monkeypatch.setenv("CALMKB_RUNS_SERVER", address)
    said = cli("run", "list")
    assert (said.code, address in said.err) == (1, True)
    assert "too long" in said.err or "500" in said.err


@pytest.mark.parametrize("reply", DRIPS.values(), ids=DRIPS)
def test_an_answer_by_drops_is_waited_for_as_long_as_is_said(endless, reply):
    request = Request(endless(*reply, 0.02))  # noqa: S310 - on loopback
    with pytest.raises(TimeoutError, match=r"timed out|does not end"):
        read_whole(opened(request, 0.2), 0.2)
