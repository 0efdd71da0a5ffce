"""Streamable HTTP: on loopback, with Host and Origin checked; elsewhere only with a token."""

from typing import TYPE_CHECKING

import uvicorn
from mcp.server import MCPServer
from mcp.server.transport_security import TransportSecuritySettings

from calmkb.http_server.guard import Guard, allowed_hosts, check_address
from calmkb.http_server.timeouts import RequestTimeoutProtocol
from calmkb.wings.mcp.stdio import repaired

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

BODY_LIMIT = 12 * 1024 * 1024  # bytes of a request: ten megabytes of log and what JSON adds to them
SESSIONS, IDLE_SECONDS = 200, 30 * 60.0
"""Sessions at once, and how long one is kept that nobody uses."""


class RepairedBodies:
    """Hands the bodies of requests on in one piece, with half surrogate pairs replaced."""

    def __init__(self, app: "ASGIApp") -> None:
        self._app = app

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Serve a request; a body over the limit goes on as it comes, to be refused there."""
        body, begun = bytearray(), False

        async def receive_whole() -> "Message":
            nonlocal begun
            message = await receive()
            if begun or message["type"] != "http.request":
                return message
            begun = True
            body.extend(message.get("body", b""))
            while message.get("more_body") and len(body) <= BODY_LIMIT:
                message = await receive()
                if message["type"] != "http.request":
                    return message
                body.extend(message.get("body", b""))
            return {**message, "body": repaired(bytes(body))}

        await self._app(scope, receive_whole, send)


def serve_http(server: MCPServer, *, host: str, port: int, token: str | None) -> None:
    """Serve until interrupted; CalmError on an address that needs a token and has none."""
    app = guarded_app(server, host=host, port=port, token=token)
    uvicorn.run(
        app,
        host=host,
        port=port,
        log_level="warning",
        access_log=False,
        http=RequestTimeoutProtocol,
    )


def guarded_app(
    server: MCPServer, *, host: str, port: int, token: str | None, sessions: int = SESSIONS
) -> "ASGIApp":
    """Return the application behind its checks.

    Host and Origin are checked on every address (the SDK leaves them off where the host is not
    loopback), and with a token every request must carry it.
    """
    check_address(host, token)
    hosts = allowed_hosts(host, port)
    security = TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=hosts,
        allowed_origins=[f"{scheme}://{name}" for scheme in ("http", "https") for name in hosts],
    )
    served = server.streamable_http_app(
        host=host,
        transport_security=security,
        max_request_body_size=BODY_LIMIT,
        session_idle_timeout=IDLE_SECONDS,
        max_sessions=sessions,
    )
    app = RepairedBodies(served)
    return Guard(app, hosts=hosts, token=token) if token else app
