"""The application: endpoints and pages on one journal, behind its checks."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterable
from typing import TYPE_CHECKING

from fastapi import FastAPI
from sqlalchemy.exc import SQLAlchemyError

import calmkb
from calmkb.errors import CalmError
from calmkb.runs.base import Runner
from calmkb.runs.http.enter import ENTER, ENTER_ROUTES
from calmkb.runs.http.faults import TooLarge, add_handlers
from calmkb.runs.http.guard import Guard, allowed_hosts, check_address
from calmkb.runs.http.headers import SafeHeaders
from calmkb.runs.http.pages import PAGES
from calmkb.runs.http.routes import ROUTES
from calmkb.runs.http.static import ASSETS, STATIC
from calmkb.runs.http.streams import Gone
from calmkb.runs.store.store import RunJournal

if TYPE_CHECKING:
    from starlette.types import ASGIApp

BODY_LIMIT = 1024 * 1024
"""Bytes of a request: the longest task, and what JSON adds to it."""
LOOK_SECONDS = 10
"""How often the runs of processes that have died are looked for."""


def make_app(journal: RunJournal, runner: Runner) -> FastAPI:
    """Return the application on a journal and who carries runs out; both are closed with it."""

    @contextlib.asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        looking = asyncio.create_task(_fail_interrupted(journal))
        yield
        looking.cancel()
        await asyncio.gather(looking, return_exceptions=True)
        await runner.close()
        await journal.close()

    app = FastAPI(
        title="calmkb run journal",
        version=calmkb.__version__,
        description="Runs of agents: begun, followed live, and remembered.",
        lifespan=lifespan,
        max_body_size=BODY_LIMIT,
        docs_url=None,  # it would load its scripts from elsewhere; /docs is a page of our own
        redoc_url=None,
    )
    app.state.journal, app.state.runner = journal, runner
    app.state.leaving, app.state.token, app.state.cookie = asyncio.Event(), None, ""
    add_handlers(app)
    for router in (ROUTES, PAGES, ENTER_ROUTES, STATIC):
        app.include_router(router)
    return app


def guarded(
    app: FastAPI, *, host: str, port: int, token: str | None, names: Iterable[str] = ()
) -> "ASGIApp":
    """Return the application behind its checks; CalmError on an address without its token.

    `names` are others that clients call this server by: those of a proxy before it, or of a machine
    whose every address it listens on.
    """
    check_address(host, token)
    # Cookies know no ports: two servers on one machine need names of their own.
    app.state.token, app.state.cookie = token, f"calmkb_runs_{port}"
    opened = ("/health", *(f"/static/{name}" for name in ASSETS))
    hosts = [one for name in (host, *names) for one in allowed_hosts(name, port)]
    return SafeHeaders(
        Guard(TooLarge(Gone(app)), hosts=hosts, token=token, cookie=app.state.cookie, enter=ENTER,
              open_paths=opened)
    )  # fmt: skip


async def _fail_interrupted(journal: RunJournal) -> None:
    """Keep looking for runs whose process died, so that those who follow them see the end."""
    while True:
        await asyncio.sleep(LOOK_SECONDS)
        with contextlib.suppress(CalmError, SQLAlchemyError, OSError):
            await journal.fail_interrupted()
