"""How long the servers wait: for a request to be complete, and for a client to read its answer."""

import asyncio
import contextlib
from typing import TYPE_CHECKING

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

UNREAD_SECONDS = 60.0
"""How long a client may leave what was sent to it unread; a follower then reconnects."""
CONNECTIONS = 1_000
"""Connections at once; more are answered 503."""


class RequestTimeoutProtocol(H11Protocol):
    """Closes a connection on which a request is not complete after `seconds`, or twice it.

    uvicorn bounds how long a connection may rest between requests, and not how long one takes.
    """

    seconds = 30.0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to look at the connection from time to time."""
        super().connection_made(transport)
        self._seen = self.cycle
        self._later()

    def _later(self) -> None:
        self.loop.call_later(self.seconds, self._look)

    def _look(self) -> None:
        if self.transport.is_closing():
            return
        unfinished = self.conn.their_state in (h11.IDLE, h11.SEND_BODY)
        if unfinished and self.cycle is self._seen:
            self.transport.abort()
            return
        self._seen = self.cycle
        self._later()


class SlowReaderTimeout:
    """Ends an answer that its client does not read for `seconds`.

    What is sent waits in the socket's buffers, and then in the server: a follower that stopped to
    read would hold its stream for ever. It loses nothing: its last entry's number goes on.
    """

    def __init__(self, app: "ASGIApp", seconds: float = UNREAD_SECONDS) -> None:
        self._app, self._seconds = app, seconds

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Pass a request on."""

        async def send_in_time(message: "Message") -> None:
            async with asyncio.timeout(self._seconds):
                await send(message)

        with contextlib.suppress(TimeoutError):  # uvicorn closes what was not completed
            await self._app(scope, receive, send_in_time)
