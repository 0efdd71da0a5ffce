"""The server around the application: its socket and its shutdown."""

import asyncio
import socket
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractAsyncContextManager

import uvicorn
from fastapi import FastAPI

from calmkb.errors import CalmError
from calmkb.http_server.guard import check_address
from calmkb.http_server.timeouts import CONNECTIONS, RequestTimeoutProtocol
from calmkb.wings.runs.http.app import guarded, make_app
from calmkb.wings.runs.verbs.running import KbRunner

SHUTDOWN_SECONDS = 2
"""How long open replies are waited for; a client that does not read is then disconnected."""
_LAST_RESORT_SECONDS = 10


async def serve_runs(
    opened: AbstractAsyncContextManager[KbRunner], *, host: str, port: int, token: str | None,
    names: Sequence[str], ready: Callable[[str], None],
) -> None:  # fmt: skip
    """Serve `opened` until interrupted; `ready` is given the address once the server listens.

    Clients must send `token`, and may call the server by `names` too. CalmError on an address that
    needs a token and has none, or that cannot be listened on. Runs are cancelled and the journal is
    closed at the end.
    """
    check_address(host, token)
    with bound(host, port) as listener:
        port = listener.getsockname()[1]
        async with opened as runner:
            app = make_app(runner.journal, runner)
            server = make_server(app, host=host, port=port, token=token, names=names)
            name = f"[{host.strip('[]')}]" if ":" in host else host
            ready(f"http://{name}:{port}/")
            await server.serve(sockets=[listener])


def bound(host: str, port: int) -> socket.socket:
    """Return a listening socket; port 0 takes any free one. CalmError where that fails."""
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
    """Return a server for a socket of its own; CalmError where it lacks a required token."""
    config = uvicorn.Config(
        guarded(app, host=host, port=port, token=token, names=names),
        log_level="warning",
        access_log=False,
        server_header=False,
        http=RequestTimeoutProtocol,
        limit_concurrency=CONNECTIONS,
        timeout_graceful_shutdown=_LAST_RESORT_SECONDS,
    )
    return Server(config, app)


class Server(uvicorn.Server):
    """Ends runs and open streams before it waits for clients."""

    def __init__(self, config: uvicorn.Config, app: FastAPI) -> None:
        super().__init__(config)
        self._app = app

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Refuse new clients, send the others the results of their runs, and stop."""
        for server in self.servers:
            server.close()
        await self._app.state.runner.close()
        self._app.state.stopping.set()
        disconnecting = asyncio.create_task(self._disconnect())
        await super().shutdown(sockets)
        disconnecting.cancel()

    async def _disconnect(self) -> None:
        """Disconnect clients that do not read; cancelling their tasks would end less well."""
        await asyncio.sleep(SHUTDOWN_SECONDS)
        for connection in list(self.server_state.connections):
            connection.transport.abort()
