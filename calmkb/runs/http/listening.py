"""The server around the application: its socket, and how it leaves."""

import asyncio
import socket
from collections.abc import Iterable

import uvicorn
from fastapi import FastAPI

from calmkb.errors import CalmError
from calmkb.runs.http.app import guarded

LEAVE_SECONDS = 2
"""How long replies under way are waited for; a client that reads nothing is then cut off."""
_LAST_RESORT_SECONDS = 10


def bound(host: str, port: int) -> socket.socket:
    """Return a socket that listens; port 0 is any free one. CalmError where it cannot be had."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host.strip("[]"), port), family=family, backlog=2048)
    except (OSError, OverflowError) as error:
        raise CalmError(
            f"cannot listen on {host}, port {port} ({error}); choose another with --host or --port"
        ) from error


def make_server(
    app: FastAPI, *, host: str, port: int, token: str | None, names: Iterable[str] = ()
) -> "Server":
    """Return a server that waits to be given its socket; CalmError on one without its token."""
    config = uvicorn.Config(
        guarded(app, host=host, port=port, token=token, names=names),
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=_LAST_RESORT_SECONDS,
    )
    return Server(config, app)


class Server(uvicorn.Server):
    """Ends runs and open streams before it waits for clients to leave."""

    def __init__(self, config: uvicorn.Config, app: FastAPI) -> None:
        super().__init__(config)
        self._app = app

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Take no more clients, tell those there are how their runs ended, and go."""
        for server in self.servers:
            server.close()
        await self._app.state.runner.close()
        self._app.state.leaving.set()
        cutting = asyncio.create_task(self._cut_off())
        await super().shutdown(sockets)
        cutting.cancel()

    async def _cut_off(self) -> None:
        """Hang up on who does not read, as if they had: a task that is cancelled ends less well."""
        await asyncio.sleep(LEAVE_SECONDS)
        for connection in list(self.server_state.connections):
            connection.transport.abort()
