"""The application: endpoints and pages on one journal, behind its checks and a login for people."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterable
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl

from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from sqlalchemy.exc import SQLAlchemyError
from starlette.datastructures import MutableHeaders

import calmkb
from calmkb.errors import CalmError
from calmkb.http_server.guard import Guard, allowed_hosts, check_address, cookie_of, is_token
from calmkb.http_server.timeouts import SlowReaderTimeout
from calmkb.wings.runs.http.errors import add_handlers, json_too_large
from calmkb.wings.runs.http.pages import ASSETS, PAGES
from calmkb.wings.runs.http.routes import ROUTES
from calmkb.wings.runs.http.streams import ignore_lost_clients
from calmkb.wings.runs.http.templates import page
from calmkb.wings.runs.store.store import RunJournal
from calmkb.wings.runs.verbs.running import KbRunner

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

BODY_LIMIT = 1024 * 1024  # bytes of a request: the longest task, and what JSON adds to it
CHECK_SECONDS = 2  # how often runs of dead processes are looked for
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "content-security-policy": POLICY,
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}
LOGIN = "/enter"
LOGIN_ROUTES = APIRouter(include_in_schema=False)
_DAY = 24 * 60 * 60
_DEFAULT_HEADERS = {"cache-control": "no-store", "referrer-policy": "no-referrer"}


def make_app(journal: RunJournal, runner: KbRunner) -> FastAPI:
    """Return the application on a journal and a runner; its caller closes both."""

    @contextlib.asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        checking = asyncio.create_task(_fail_interrupted(journal))
        yield
        checking.cancel()
        await asyncio.gather(checking, return_exceptions=True)

    app = FastAPI(
        title="calmkb run journal",
        version=calmkb.__version__,
        description="Start runs of agents, follow them live, and read them again.",
        lifespan=lifespan,
        max_body_size=BODY_LIMIT,
        docs_url=None,  # it would load its scripts from elsewhere; /docs is a page of our own
        redoc_url=None,
    )
    app.state.journal, app.state.runner = journal, runner
    app.state.stopping, app.state.token, app.state.cookie = asyncio.Event(), None, ""
    add_handlers(app)
    for router in (ROUTES, PAGES, LOGIN_ROUTES):
        app.include_router(router)
    return app


def guarded(
    app: FastAPI, *, host: str, port: int, token: str | None, names: Iterable[str] = ()
) -> "ASGIApp":
    """Return the application behind its checks; CalmError on an address without its token.

    `names` are other host names that clients use: those of a proxy, or of a machine on all of whose
    addresses the server listens.
    """
    check_address(host, token)
    # Cookies ignore ports: two servers on one machine need different names.
    app.state.token, app.state.cookie = token, f"calmkb_runs_{port}"
    opened = ("/health", *(f"/static/{name}" for name in ASSETS))
    hosts = [one for name in (host, *names) for one in allowed_hosts(name, port)]
    inside = json_too_large(SlowReaderTimeout(ignore_lost_clients(app)))
    return safe_headers(
        Guard(inside, hosts=hosts, token=token, cookie=app.state.cookie, login=LOGIN,
              open_paths=opened)
    )  # fmt: skip


async def _fail_interrupted(journal: RunJournal) -> None:
    """Keep ending the runs of dead processes, so that their followers see the end."""
    while True:
        await asyncio.sleep(CHECK_SECONDS)
        with contextlib.suppress(CalmError, SQLAlchemyError, OSError):
            await journal.fail_interrupted()


def safe_headers(app: "ASGIApp") -> "ASGIApp":
    """Set headers on each reply, errors too: no foreign content, no frames, no caching."""

    async def answer(scope: "Scope", receive: "Receive", send: "Send") -> None:
        async def send_safely(message: "Message") -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(_HEADERS)
                for name, value in _DEFAULT_HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await app(scope, receive, send_safely)

    return answer


@LOGIN_ROUTES.get(LOGIN)
async def form(next: str = "/") -> HTMLResponse:  # noqa: A002
    """Ask for the token."""
    return _form(_local_path(next))


@LOGIN_ROUTES.post(LOGIN)
async def log_in(request: Request) -> Response:
    """Log a browser in that knows the token; its cookie is not the token itself."""
    fields = dict(parse_qsl((await request.body()).decode(errors="replace")))
    place = _local_path(fields.get("next", "/"))
    token = request.app.state.token
    if token is None:
        return RedirectResponse(place, 303)
    if not is_token(fields.get("token", "").strip(), token):
        return _form(place, wrong=True)
    reply = RedirectResponse(place, 303)
    reply.set_cookie(
        request.app.state.cookie, cookie_of(token), max_age=_DAY, httponly=True,
        samesite="strict", secure=request.url.scheme == "https",
    )  # fmt: skip
    return reply


def _form(place: str, *, wrong: bool = False) -> HTMLResponse:
    reply = page("enter.html.j2", code=401 if wrong else 200, next=place, wrong=wrong)
    # With "no-referrer" a browser would send the form with `Origin: null`, which is refused.
    reply.headers["referrer-policy"] = "same-origin"
    return reply


def _local_path(place: str) -> str:
    """Return a path on this server; anything else becomes the first page."""
    plain = place.isascii() and place.isprintable() and "\\" not in place
    # What begins with one slash names no scheme and no host.
    return place if plain and place.startswith("/") and not place.startswith("//") else "/"
