"""The door for people where a token is asked for: a form, and a cookie that scripts cannot read."""

from urllib.parse import parse_qsl, urlsplit

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from calmkb.runs.http.guard import cookie_of, is_token
from calmkb.runs.http.looks import page

ENTER = "/enter"
ENTER_ROUTES = APIRouter(include_in_schema=False)
_DAY = 24 * 60 * 60


@ENTER_ROUTES.get(ENTER)
async def form(next: str = "/") -> HTMLResponse:  # noqa: A002
    """Ask for the token."""
    return _form(_inside(next))


@ENTER_ROUTES.post(ENTER)
async def enter(request: Request) -> Response:
    """Let a browser in that knows the token: what it keeps is not the token itself."""
    fields = dict(parse_qsl((await request.body()).decode(errors="replace")))
    place = _inside(fields.get("next", "/"))
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


def _inside(place: str) -> str:
    """Return a place on this server; anything else is the first page."""
    plain = place.isascii() and place.isprintable() and "\\" not in place
    if not plain or not place.startswith("/") or place.startswith("//"):
        return "/"
    parts = urlsplit(place)
    return place if not parts.netloc and not parts.scheme else "/"
