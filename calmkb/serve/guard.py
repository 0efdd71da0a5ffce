"""Who may talk to a server of ours: programs of this machine, or holders of a token."""

import hmac
import ipaddress
from collections.abc import Iterable
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from calmkb.errors import CalmError

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

SHORTEST_TOKEN = 16


def is_loopback(host: str) -> bool:
    """Tell whether an address is this machine's own."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def check_address(host: str, token: str | None) -> None:
    """Raise CalmError on an address that needs a token and has none, or a token too short."""
    if not is_loopback(host) and not token:
        raise CalmError(
            f"{host} is not loopback: give a --token of {SHORTEST_TOKEN} characters or more, and "
            "put TLS before it, since the token and what is said travel in the clear"
        )
    if token is not None and len(token) < SHORTEST_TOKEN:
        raise CalmError(f"the token is shorter than {SHORTEST_TOKEN} characters; make it longer")


def allowed_hosts(host: str, port: int) -> list[str]:
    """Return the Host headers that name this server, with and without the port."""
    names = {host, "127.0.0.1", "localhost", "[::1]"} if is_loopback(host) else {host}
    return [f"{name}:{port}" for name in sorted(names)] + sorted(names)


class Guard:
    """Turns away a wrong Host (421), a foreign Origin (403) and a missing token (401).

    A page elsewhere that a browser was led to must not talk to this server, by its own name or by
    one that was bent to this address. `cookie` names one that may carry the token too.
    """

    def __init__(
        self,
        app: "ASGIApp",
        *,
        hosts: Iterable[str],
        token: str | None = None,
        cookie: str = "",
        open_paths: Iterable[str] = (),
    ) -> None:
        self._app, self._hosts = app, {host.lower() for host in hosts}
        self._token, self._cookie, self._open = token, cookie, frozenset(open_paths)

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Pass a request on, or turn it away before anything reads it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        refusal = self._refusal(scope)
        if refusal is None:
            await self._app(scope, receive, send)
            return
        status, code, message = refusal
        body = b'{"error":{"code":"%b","message":"%b"}}' % (code.encode(), message.encode())
        headers = [(b"content-type", b"application/json"), (b"www-authenticate", b"Bearer")]
        await send(
            {"type": "http.response.start", "status": status,
             "headers": headers if status == 401 else headers[:1]}
        )  # fmt: skip
        await send({"type": "http.response.body", "body": body})

    def _refusal(self, scope: "Scope") -> tuple[int, str, str] | None:
        headers = {key: value.decode("latin-1") for key, value in reversed(scope["headers"])}
        if headers.get(b"host", "").lower() not in self._hosts:
            return 421, "wrong_host", "this server does not go by that name"
        origin = headers.get(b"origin")
        if origin is not None and urlsplit(origin).netloc.lower() not in self._hosts:
            return 403, "foreign_origin", "requests from another site are not answered"
        if self._token and scope["path"] not in self._open and not self._is_known(headers):
            return 401, "token_required", "a token is required"
        return None

    def _is_known(self, headers: dict[bytes, str]) -> bool:
        given = headers.get(b"authorization", "")
        if hmac.compare_digest(given.encode("latin-1"), f"Bearer {self._token}".encode()):
            return True
        cookies = (part.strip().partition("=") for part in headers.get(b"cookie", "").split(";"))
        return bool(self._cookie) and any(
            name == self._cookie
            and hmac.compare_digest(value.encode("latin-1"), str(self._token).encode())
            for name, _, value in cookies
        )
