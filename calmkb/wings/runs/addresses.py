"""Where the run journal is: a file in the state folder, or a server; and requests to one host."""

import re
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from calmkb.errors import ConfigError

if TYPE_CHECKING:
    from http.client import HTTPResponse
    from urllib.request import Request

FILE = "runs.sqlite"
_SECRET = re.compile(r"(?<=[?&])((?:ssl)?password=)[^&#]*", re.IGNORECASE)


def database_url(named: str, state: Path) -> str:
    """Return the SQLAlchemy address for a URL, a path, or nothing.

    `postgres://` and `postgresql://` go to psycopg 3, `sqlite://` and a bare path are a file;
    nothing is the file in the state folder. ConfigError on any other scheme.
    """
    if not named.strip():
        return f"sqlite:///{state / FILE}"
    scheme, separator, rest = named.partition("://")
    if not separator:
        return f"sqlite:///{Path(named).expanduser().absolute()}"
    if scheme in ("postgres", "postgresql", "postgresql+psycopg"):
        return f"postgresql+psycopg://{rest}"
    if scheme == "sqlite":
        if not rest.partition("?")[0].removeprefix("/") or rest.startswith("/:memory:"):
            raise ConfigError(f"the run journal needs a file: {named!r}; give sqlite:///FILE")
        return f"sqlite://{rest}"
    raise ConfigError(
        f"the run journal's address begins with {scheme!r}; give sqlite:///FILE or postgres://…"
    )


def shown(url: str) -> str:
    """Return an address without its passwords, for messages."""
    try:
        place = urlsplit(url).netloc
    except ValueError:
        return f"{url.partition('://')[0]}://…"
    who, at, host = place.rpartition("@")
    user, colon, _ = who.partition(":")
    bare = url.replace(place, f"{user}:***{at}{host}", 1) if colon else url
    return _SECRET.sub(r"\1***", bare)


def opened(request: "Request", seconds: float) -> "HTTPResponse":
    """Return the reply of the host that is named, and of no other; HTTPError on a redirect."""
    import urllib.request as web  # here: the store wants addresses alone

    # A proxy sees what is sent over http://, headers too.
    proxies = {"https": url} if (url := web.getproxies().get("https")) else {}
    opener = web.OpenerDirector()  # without a handler of redirects
    for handler in (web.ProxyHandler(proxies), web.HTTPHandler(), web.HTTPSHandler(),
                    web.HTTPDefaultErrorHandler(), web.HTTPErrorProcessor()):  # fmt: skip
        opener.add_handler(handler)
    reply: HTTPResponse = opener.open(request, timeout=seconds)
    return reply


def is_address(address: str) -> bool:
    """Return whether an address is one of HTTP, without a user and a password in it."""
    try:
        parts = urlsplit(address)
        named = parts.hostname and parts.port != 0  # `port` refuses what is no number
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(named) and "@" not in parts.netloc
