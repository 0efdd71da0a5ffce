"""The application and the server around it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from fastapi import FastAPI

import calmkb
from calmkb.runs.base import RunJournal
from calmkb.runs.running import Runner
from calmkb.serve.guard import Guard, allowed_hosts, check_address
from calmkb.serve.http_runs.faults import add_handlers
from calmkb.serve.http_runs.routes import ROUTES

if TYPE_CHECKING:
    from starlette.types import ASGIApp

BODY_LIMIT = 1024 * 1024
"""Bytes of a request: the longest task, and what JSON adds to it."""
COOKIE = "calmkb_token"
LEAVE_SECONDS = 5


def make_app(journal: RunJournal, runner: Runner) -> FastAPI:
    """Return the application on a journal and who carries runs out; both are closed with it."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        await runner.close()
        await journal.close()

    app = FastAPI(
        title="calmkb run journal",
        version=calmkb.__version__,
        description="Runs of agents: begun, followed live, and remembered.",
        lifespan=lifespan,
        max_body_size=BODY_LIMIT,
        docs_url=None,  # it would load its scripts from elsewhere
        redoc_url=None,
    )
    app.state.journal, app.state.runner = journal, runner
    add_handlers(app)
    app.include_router(ROUTES)
    return app


def guarded(app: FastAPI, *, host: str, port: int, token: str | None) -> "ASGIApp":
    """Return the application behind its checks; CalmError on an address without its token."""
    check_address(host, token)
    return Guard(
        app, hosts=allowed_hosts(host, port), token=token, cookie=COOKIE, open_paths=("/health",)
    )


async def serve(app: FastAPI, *, host: str, port: int, token: str | None) -> None:
    """Serve until interrupted; open streams are given a few seconds to end."""
    import uvicorn

    config = uvicorn.Config(
        guarded(app, host=host, port=port, token=token),
        host=host,
        port=port,
        log_level="warning",
        access_log=False,
        timeout_graceful_shutdown=LEAVE_SECONDS,
    )
    await uvicorn.Server(config).serve()
