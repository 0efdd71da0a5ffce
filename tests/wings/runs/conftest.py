"""A run journal on each engine: one PostgreSQL server and one database a test process; a tap."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from calmkb.wings.runs.store.migrations import HEAD
from calmkb.wings.runs.store.store import RunJournal, open_journal
from calmkb.wings.runs.store.tables import VERSION_TABLE
from tests.wings.runs.postgres import Server

if TYPE_CHECKING:
    from tests.wings.runs.web import Tap

ENGINES = ("sqlite", "postgresql")


@pytest.fixture
def anyio_backend() -> str:
    """Run tests marked `anyio` on asyncio alone."""
    return "asyncio"


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """Return a PostgreSQL server, made once a test process."""
    server = Server()
    yield server
    server.remove()


@pytest.fixture(scope="session")
def postgres_template(postgres: Server) -> str:
    """Return the name of a database with the tables in it, to copy."""
    name = postgres.new_database()
    asyncio.run(_make_tables(postgres_url(postgres, name)))
    return name


@pytest.fixture(scope="session")
def postgres_journal(postgres: Server, postgres_template: str) -> str:
    """Return the name of the database that tests use one after the other."""
    return postgres.new_database(postgres_template)


@pytest.fixture
def emptied(postgres: Server, postgres_journal: str) -> str:
    """Return the name of a database with nothing and nobody in it: quicker than a new one."""
    postgres.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        "WHERE datname = current_database() AND pid <> pg_backend_pid()",
        "DELETE FROM run_sessions",
        f"UPDATE {VERSION_TABLE} SET version_num = '{HEAD}'",  # noqa: S608
        database=postgres_journal,
    )
    return postgres_journal


@pytest.fixture(params=ENGINES)
def journal_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Return the SQLAlchemy address of an empty run journal, on each engine in turn."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'runs.sqlite'}"
        return
    server, database = request.getfixturevalue("postgres"), request.getfixturevalue("emptied")
    yield postgres_url(server, database)


@pytest.fixture
def tap(tmp_path: Path) -> "Iterator[Tap]":
    """Return an agent's program whose output a test pours, a line at a time."""
    from tests.wings.runs.web import Tap  # needs the [runs] extra

    tap = Tap(tmp_path)
    yield tap
    tap.close()


@pytest.fixture
async def journal(journal_url: str) -> AsyncIterator[RunJournal]:
    """Return an open run journal on each engine, for tests marked `anyio`."""
    opened = await open_journal(journal_url)
    yield opened
    await opened.close()


def postgres_url(server: Server, database: str) -> str:
    """Return the SQLAlchemy address of a database."""
    return server.address(database).replace("postgresql://", "postgresql+psycopg://", 1)


async def _make_tables(url: str) -> None:
    await (await open_journal(url)).close()
