"""Clients that never finish a request, or never read an answer, are left."""

import contextlib
import socket
import threading
from collections.abc import Iterator

import pytest
import uvicorn

from calmkb.http_server.timeouts import RequestTimeoutProtocol, SlowReaderTimeout

CHUNK = b"x" * 1024 * 1024


@contextlib.contextmanager
def serving(app, **settings) -> Iterator[socket.socket]:
    """Serve an application in a thread; give a connection to it."""
    listening = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_level="critical", **settings))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        with socket.create_connection(listening.getsockname(), timeout=60) as client:
            yield client
    finally:
        server.should_exit = True
        thread.join()
        listening.close()


async def silent(scope, receive, send):
    """Answer nothing: the request is never complete."""
    await receive()


@pytest.mark.parametrize("half", [b"", b"POST /sessions HTTP/1.1\r\nHost: ", b"GET / HT"])
def test_a_request_that_never_ends_is_closed(half):
    class Hasty(RequestTimeoutProtocol):
        seconds = 0.2

    with serving(silent, http=Hasty, lifespan="off") as client:
        client.sendall(half)
        with contextlib.suppress(ConnectionResetError):
            while client.recv(4096):
                pass


def test_a_client_that_stops_to_read_holds_no_stream():
    left = threading.Event()

    async def endless(scope, receive, send):
        try:
            await send({"type": "http.response.start", "status": 200, "headers": []})
            while True:
                await send({"type": "http.response.body", "body": CHUNK, "more_body": True})
        finally:
            left.set()

    with serving(SlowReaderTimeout(endless, seconds=0.3), lifespan="off") as client:
        client.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        assert left.wait(60)


def test_a_client_that_reads_slowly_gets_it_all():
    size = 8

    async def some(scope, receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": []})
        for number in range(size):
            more = number < size - 1
            await send({"type": "http.response.body", "body": CHUNK, "more_body": more})

    with serving(SlowReaderTimeout(some, seconds=30), lifespan="off") as client:
        client.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        got = 0
        while data := client.recv(65_536):
            got += data.count(b"x")
        assert got == size * len(CHUNK)
