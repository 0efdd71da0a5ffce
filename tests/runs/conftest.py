"""A run journal on each engine: one PostgreSQL server a test process, a database a test."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from calmkb.runs.store import SqlRunJournal, open_journal
from tests.runs.postgres import Server

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


@pytest.fixture(params=ENGINES)
def journal_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Return the SQLAlchemy address of an empty run journal, on each engine in turn."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'runs.sqlite'}"
        return
    server = request.getfixturevalue("postgres")
    database = server.new_database(request.getfixturevalue("postgres_template"))
    yield postgres_url(server, database)
    server.drop(database)


@pytest.fixture
async def journal(journal_url: str) -> AsyncIterator[SqlRunJournal]:
    """Return an open run journal on each engine, for tests marked `anyio`."""
    opened = await open_journal(journal_url)
    yield opened
    await opened.close()


def postgres_url(server: Server, database: str) -> str:
    """Return the SQLAlchemy address of a database."""
    return server.address(database).replace("postgresql://", "postgresql+psycopg://", 1)


async def _make_tables(url: str) -> None:
    await (await open_journal(url)).close()
