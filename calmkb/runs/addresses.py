"""Where the run journal lies: a file of the state folder, or a server."""

from pathlib import Path
from urllib.parse import urlsplit

from calmkb.errors import ConfigError

FILE = "runs.sqlite"


def database_url(named: str, state: Path) -> str:
    """Return the SQLAlchemy address for what a person gave: an URL, a path, or nothing.

    `postgres://` and `postgresql://` go to psycopg 3, `sqlite://` and a bare path to aiosqlite;
    nothing is the file of the state folder. ConfigError on any other scheme.
    """
    if not named.strip():
        return f"sqlite+aiosqlite:///{state / FILE}"
    scheme, separator, rest = named.partition("://")
    if not separator:
        return f"sqlite+aiosqlite:///{Path(named).expanduser().absolute()}"
    if scheme in ("postgres", "postgresql", "postgresql+psycopg"):
        return f"postgresql+psycopg://{rest}"
    if scheme in ("sqlite", "sqlite+aiosqlite"):
        return f"sqlite+aiosqlite://{rest}"
    raise ConfigError(
        f"the run journal's address begins with {scheme!r}; give sqlite:///FILE or postgres://…"
    )


def shown(url: str) -> str:
    """Return an address without its password, for messages."""
    parts = urlsplit(url)
    if not parts.password:
        return url
    return url.replace(f":{parts.password}@", ":***@", 1)
