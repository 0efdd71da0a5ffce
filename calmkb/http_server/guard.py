"""Who may use a server of calmkb: programs of this machine, or holders of a token."""

import hmac
import ipaddress
from collections.abc import Iterable
from typing import TYPE_CHECKING
from urllib.parse import quote

from calmkb.errors import CalmError

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

SHORTEST_TOKEN = 16
_COOKIE_OF = b"calmkb: this browser has shown the token"


def is_loopback(host: str) -> bool:
    """Return whether an address is this machine's own."""
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
            "put TLS before it, since the token and all data are sent unencrypted"
        )
    if token is not None and len(token) < SHORTEST_TOKEN:
        raise CalmError(f"the token is shorter than {SHORTEST_TOKEN} characters; make it longer")


def allowed_hosts(host: str, port: int) -> list[str]:
    """Return the Host headers that name this server, with and without the port."""
    named = f"[{host}]" if ":" in host and not host.startswith("[") else host
    names = {named, "127.0.0.1", "localhost", "[::1]"} if is_loopback(host) else {named}
    return [f"{name}:{port}" for name in sorted(names)] + sorted(names)


def cookie_of(token: str) -> str:
    """Return what a browser keeps instead of the token, which it does not reveal."""
    return hmac.new(token.encode(), _COOKIE_OF, "sha256").hexdigest()


def is_token(given: str, token: str) -> bool:
    """Return whether `given` is the token, in a time that does not depend on how much matches."""
    return hmac.compare_digest(given.encode(errors="replace"), token.encode())


class Guard:
    """Refuses a wrong Host (421), a foreign Origin (403) and a missing token (401).

    A page of another site must not reach this server through a browser, by this server's name or
    by one rebound to its address. `cookie` names the cookie that may hold `cookie_of(token)`;
    people without it are redirected to `login`.
    """

    def __init__(
        self,
        app: "ASGIApp",
        *,
        hosts: Iterable[str],
        token: str | None = None,
        cookie: str = "",
        login: str = "",
        open_paths: Iterable[str] = (),
    ) -> None:
        self._app, self._hosts = app, {host.lower() for host in hosts}
        self._token, self._cookie, self._login = token, cookie, login
        self._open = frozenset((*open_paths, *([login] if login else [])))

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Pass a request on, or refuse it before anything reads it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] != "http":  # no server of ours has web sockets
            await send({"type": "websocket.close", "code": 1008})
        elif (refusal := self._refusal(scope)) is None:
            await self._app(scope, receive, send)
        elif refusal[0] == 401 and self._login and _is_page(scope):
            await _answer(send, 303, b"", (b"location", self._login_address(scope)))
        else:
            status, code, message = refusal
            body = b'{"error":{"code":"%b","message":"%b"}}' % (code.encode(), message.encode())
            asked = [(b"www-authenticate", b"Bearer")] if status == 401 else []
            await _answer(send, status, body, (b"content-type", b"application/json"), *asked)

    def _refusal(self, scope: "Scope") -> tuple[int, str, str] | None:
        headers = _headers(scope)
        host = headers.get(b"host", "").lower()
        if host not in self._hosts:
            return 421, "wrong_host", "this server does not go by that name"
        origin = headers.get(b"origin")
        # Another port of this machine is another site: a browser names its own as the Host.
        if origin is not None and origin.lower() not in (f"http://{host}", f"https://{host}"):
            return 403, "foreign_origin", "requests from another site are not answered"
        if self._token and scope["path"] not in self._open and not self._is_known(headers):
            return 401, "token_required", "a token is required"
        return None

    def _is_known(self, headers: dict[bytes, str]) -> bool:
        token = str(self._token)
        scheme, _, given = headers.get(b"authorization", "").partition(" ")
        value = given.strip().encode("latin-1").decode(errors="replace")
        if scheme.lower() == "bearer" and is_token(value, token):
            return True
        cookies = (part.strip().partition("=") for part in headers.get(b"cookie", "").split(";"))
        return bool(self._cookie) and any(
            name == self._cookie and is_token(value, cookie_of(token)) for name, _, value in cookies
        )

    def _login_address(self, scope: "Scope") -> bytes:
        query = scope["query_string"].decode("latin-1")
        path = scope["path"] + (f"?{query}" if query else "")
        return f"{self._login}?next={quote(path, safe='/')}".encode()


def _headers(scope: "Scope") -> dict[bytes, str]:
    return {key: value.decode("latin-1") for key, value in reversed(scope["headers"])}


def _is_page(scope: "Scope") -> bool:
    return scope["method"] == "GET" and "text/html" in _headers(scope).get(b"accept", "")


async def _answer(send: "Send", status: int, body: bytes, *headers: tuple[bytes, bytes]) -> None:
    length = (b"content-length", str(len(body)).encode())
    await send({"type": "http.response.start", "status": status, "headers": [*headers, length]})
    await send({"type": "http.response.body", "body": body})
