"""Login with the token for people: a form, and a cookie that scripts cannot read."""

from urllib.parse import parse_qsl

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from calmkb.http_server.guard import cookie_of, is_token
from calmkb.wings.runs.http.templates import page

LOGIN = "/enter"
LOGIN_ROUTES = APIRouter(include_in_schema=False)
_DAY = 24 * 60 * 60


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
