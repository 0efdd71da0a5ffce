"""Where the run journal is: a file in the state folder, or a server; and requests to one host."""

import re
import time
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from calmkb.errors import ConfigError

if TYPE_CHECKING:
    from http.client import HTTPResponse
    from urllib.error import HTTPError
    from urllib.request import Request

FILE = "runs.sqlite"
LONGEST = 100_000_000  # bytes of a reply
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
    answer = Future["HTTPResponse"]()
    ask = partial(_answer, answer, partial(opener.open, request, timeout=seconds))
    thread = Thread(target=ask, daemon=True)  # its own timeout is that of one piece of a reply
    thread.start()
    thread.join(seconds + 1)
    if thread.is_alive():
        raise TimeoutError("timed out")
    return answer.result()


def _answer(answer: "Future[HTTPResponse]", ask: "Callable[[], HTTPResponse]") -> None:
    try:
        answer.set_result(ask())
    except BaseException as error:
        answer.set_exception(error)


def read_whole(reply: "HTTPResponse | HTTPError", seconds: float, limit: int = LONGEST) -> bytes:
    """Return all of a reply; OSError where it is too long, cut off, or does not end in time."""
    end, parts, size = time.monotonic() + seconds, list[bytes](), 0
    while part := reply.read1(65_536):
        parts.append(part)
        size += len(part)
        if size > limit:
            raise OSError("its answer is too long")
        if time.monotonic() > end:
            raise TimeoutError("its answer does not end")
    if reply.length:
        raise OSError("its answer is cut off")
    return b"".join(parts)


def is_address(address: str) -> bool:
    """Return whether an address is one of HTTP, without a user and a password in it."""
    try:
        parts = urlsplit(address)
        named = parts.hostname and parts.port != 0  # `port` refuses what is no number
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(named) and "@" not in parts.netloc
