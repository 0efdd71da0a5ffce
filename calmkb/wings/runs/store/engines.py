"""One engine for each kind of database, and its errors in plain words."""

import contextlib
from collections.abc import Iterator
from functools import partial
from typing import Any

from sqlalchemy import Engine, create_engine, event
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from calmkb.errors import StoreError
from calmkb.wings.runs.addresses import shown
from calmkb.wings.runs.store.values import dumps

_BUSY_SECONDS = 30
CONNECTING = {
    "connect_timeout": 10, "keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 3,
}  # fmt: skip
"""PostgreSQL's connection options: a lost server is noticed within half a minute."""
_READS = "calmkb_reads"
_FIXES = {
    "SQLITE_BUSY": "another program holds it; try again",
    "SQLITE_FULL": "free some space on the disk",
    "SQLITE_NOTADB": "name another file, or move this one away",
    "SQLITE_CORRUPT": "restore it, or move it away and a new one is made",
    "SQLITE_CANTOPEN": "check that its folder exists and can be written",
    "SQLITE_READONLY": "check that the file and its folder can be written",
    "42501": "grant its user the right to create and write tables",
}
CHECK_SERVER = "check that the server runs and that the address is right"
_POOL = 12
_RETRIED = {"40P01", "40001"}
_engine = partial(create_engine, json_serializer=dumps, hide_parameters=True)


def server_engine(url: URL) -> Engine:
    """Return an engine for PostgreSQL."""
    asked = {name: value for name, value in CONNECTING.items() if name not in url.query}
    return _engine(url, pool_size=_POOL, connect_args=asked)


def file_engine(url: URL) -> Engine:
    """Return an engine for SQLite whose transactions take the write lock at once.

    A transaction that reads first and writes later could be refused half-way. A busy file is
    waited for 30 s (`?timeout=` in the address says otherwise).
    """
    asked: dict[str, Any] = {} if "timeout" in url.query else {"timeout": _BUSY_SECONDS}
    asked["check_same_thread"] = False
    engine = _engine(url.set(drivername="sqlite"), connect_args=asked)

    @event.listens_for(engine, "connect")
    def _prepare(connection: Any, _: object) -> None:
        connection.isolation_level = None  # SQLAlchemy, not the driver, says when it begins
        cursor = connection.cursor()
        for pragma in ("synchronous=FULL", "foreign_keys=ON"):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @event.listens_for(engine, "begin")
    def _begin(connection: Any) -> None:
        if not connection.get_execution_options().get(_READS):
            connection.exec_driver_sql("BEGIN IMMEDIATE")

    return engine


def reading(engine: Engine) -> Engine:
    """Return the same engine for statements that only read, each by itself, with no lock."""
    if engine.dialect.name == "sqlite":
        # Setting and resetting a level costs SQLite two statements a read; nothing begun is enough.
        return engine.execution_options(**{_READS: True})
    return engine.execution_options(isolation_level="AUTOCOMMIT")


@contextlib.contextmanager
def plain_errors(url: URL) -> Iterator[None]:
    """Turn errors of the database or the system into a StoreError that names the address."""
    where = f"the run journal at {shown(url.render_as_string(hide_password=False))}"
    try:
        yield
    except DBAPIError as error:
        raise StoreError(f"{where} refused: {first_line(error.orig)}; {_fix(error)}") from error
    except (SQLAlchemyError, OSError) as error:
        raise StoreError(f"{where} cannot be used: {first_line(error)}; {CHECK_SERVER}") from error


def may_be_retried(error: DBAPIError) -> bool:
    """Return whether a transaction failed only because of a concurrent one (PostgreSQL)."""
    return getattr(error.orig, "sqlstate", None) in _RETRIED


def first_line(error: object) -> str:
    """Return the first line of an error's words, else its name."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


def _fix(error: DBAPIError) -> str:
    name = getattr(error.orig, "sqlite_errorname", None) or getattr(error.orig, "sqlstate", None)
    base = "_".join(str(name or "").split("_")[:2])  # SQLITE_CANTOPEN_ISDIR is a SQLITE_CANTOPEN
    return _FIXES.get(base, "nothing was written" if name else CHECK_SERVER)
