"""Where the run journal is: a file in the state folder, or a server."""

import re
from pathlib import Path
from urllib.parse import urlsplit

from calmkb.errors import ConfigError

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
