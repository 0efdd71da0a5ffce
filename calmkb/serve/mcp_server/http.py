"""Streamable HTTP: on loopback, with Host and Origin checked; elsewhere only with a token."""

from typing import TYPE_CHECKING

import uvicorn
from mcp.server import MCPServer
from mcp.server.transport_security import TransportSecuritySettings

from calmkb.kb.http_guard import Guard, allowed_hosts, check_address

if TYPE_CHECKING:
    from starlette.types import ASGIApp

BODY_LIMIT = 12 * 1024 * 1024
"""Bytes of a request: ten megabytes of log and what JSON adds to them."""


def serve_http(server: MCPServer, *, host: str, port: int, token: str | None) -> None:
    """Serve until interrupted; CalmError on an address that needs a token and has none."""
    app = guarded_app(server, host=host, port=port, token=token)
    uvicorn.run(app, host=host, port=port, log_level="warning", access_log=False)


def guarded_app(server: MCPServer, *, host: str, port: int, token: str | None) -> "ASGIApp":
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
    app = server.streamable_http_app(
        host=host, transport_security=security, max_request_body_size=BODY_LIMIT
    )
    return Guard(app, hosts=hosts, token=token) if token else app
