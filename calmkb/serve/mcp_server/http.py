"""Streamable HTTP: on loopback, with Host and Origin checked; elsewhere only with a token."""

import hmac
import ipaddress
from typing import TYPE_CHECKING

import uvicorn
from mcp.server import MCPServer
from mcp.server.transport_security import TransportSecuritySettings

from calmkb.errors import CalmError

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

BODY_LIMIT = 12 * 1024 * 1024
"""Bytes of a request: ten megabytes of log and what JSON adds to them."""
_SHORTEST_TOKEN = 16


def serve_http(server: MCPServer, *, host: str, port: int, token: str | None) -> None:
    """Serve until interrupted; CalmError on an address that needs a token and has none."""
    app = guarded_app(server, host=host, port=port, token=token)
    uvicorn.run(app, host=host, port=port, log_level="warning", access_log=False)


def guarded_app(server: MCPServer, *, host: str, port: int, token: str | None) -> "ASGIApp":
    """Return the application behind its checks.

    Host and Origin are checked on every address (the SDK leaves them off where the host is not
    loopback), and with a token every request must carry it.
    """
    if not _is_loopback(host) and not token:
        raise CalmError(
            f"{host} is not loopback: give a --token of {_SHORTEST_TOKEN} characters or more, and "
            "put TLS before it, since the token and the journal travel in the clear"
        )
    if token is not None and len(token) < _SHORTEST_TOKEN:
        raise CalmError(f"the token is shorter than {_SHORTEST_TOKEN} characters; make it longer")
    names = {host, "127.0.0.1", "localhost", "[::1]"} if _is_loopback(host) else {host}
    hosts = [f"{name}:{port}" for name in sorted(names)] + sorted(names)
    security = TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=hosts,
        allowed_origins=[f"{scheme}://{name}" for scheme in ("http", "https") for name in hosts],
    )
    app = server.streamable_http_app(
        host=host, transport_security=security, max_request_body_size=BODY_LIMIT
    )
    return _Token(app, token) if token else app


class _Token:
    """Answers 401 to what does not carry the token, before anything reads the request."""

    def __init__(self, app: "ASGIApp", token: str) -> None:
        self._app, self._wanted = app, f"Bearer {token}".encode()

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Pass a request on, or turn it away."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        given = next((value for key, value in scope["headers"] if key == b"authorization"), b"")
        if hmac.compare_digest(given, self._wanted):
            await self._app(scope, receive, send)
            return
        headers = [(b"content-type", b"text/plain"), (b"www-authenticate", b"Bearer")]
        await send({"type": "http.response.start", "status": 401, "headers": headers})
        await send({"type": "http.response.body", "body": b"a token is required\n"})


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
