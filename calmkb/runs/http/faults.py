"""Errors as replies: one shape, the code that fits, no traceback."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from sqlalchemy.exc import SQLAlchemyError
from starlette.exceptions import HTTPException

from calmkb.errors import (
    CalmError,
    ConfigError,
    NotFoundError,
    RecordError,
    RunConflictError,
    TrustError,
)
from calmkb.runs.http.bodies import ErrorBody, ErrorDetail, Fault
from calmkb.runs.http.looks import page

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

_CODES: tuple[tuple[type[CalmError], int, str], ...] = (
    (NotFoundError, 404, "not_found"),
    (RunConflictError, 409, "conflict"),
    (RecordError, 422, "invalid"),
    (TrustError, 403, "not_allowed"),
    (ConfigError, 422, "invalid"),
)
_NAMES = {401: "token_required", 403: "forbidden", 404: "not_found", 405: "method_not_allowed",
          413: "too_large"}  # fmt: skip
_FAULTS = 20
_FIELD = 200


def answers(*codes: int) -> dict[int | str, dict[str, Any]]:
    """Return the errors that an endpoint documents, besides those that every one has."""
    every = (400, 401, 403, 413, 421, 503)
    return {code: {"model": ErrorBody} for code in sorted({*codes, *every})}


def stream_answers(*codes: int) -> dict[int | str, dict[str, Any]]:
    """Return the same for an endpoint that streams: its errors are JSON still."""
    said = {"application/json": {"schema": {"$ref": "#/components/schemas/ErrorBody"}}}
    return {code: {"content": said} for code in answers(*codes)}


def wrong(field: str, message: str) -> RequestValidationError:
    """Return an error that names a field of the body which is well formed and yet wrong."""
    return RequestValidationError([{"loc": ("body", field), "msg": message}])


def add_handlers(app: FastAPI) -> None:
    """Make `app` answer every error in the one shape, and people with a page."""

    @app.exception_handler(CalmError)
    async def _ours(request: Request, error: CalmError) -> Response:
        for kind, status, code in _CODES:
            if isinstance(error, kind):
                return _told(request, status, code, str(error))
        return _told(request, 503, "unavailable", str(error))

    @app.exception_handler(SQLAlchemyError)
    async def _database(request: Request, _: SQLAlchemyError) -> Response:
        return _told(request, 503, "unavailable", "the run journal's database does not answer")

    @app.exception_handler(RequestValidationError)
    async def _invalid(request: Request, error: RequestValidationError) -> Response:
        faults = [_fault(item["loc"], item["msg"]) for item in error.errors()[:_FAULTS]]
        told = "; ".join(f"{fault.field}: {fault.message}" for fault in faults)
        return _told(request, 422, "invalid", told, faults)

    @app.exception_handler(HTTPException)
    async def _http(request: Request, error: HTTPException) -> Response:
        code = _NAMES.get(error.status_code, "refused")
        told = _told(request, error.status_code, code, str(error.detail))
        told.headers.update(error.headers or {})
        return told

    @app.exception_handler(Exception)
    async def _fault_of_ours(request: Request, _: Exception) -> Response:
        return _told(request, 500, "fault", "a fault in calmkb; the server's own output tells more")


class TooLarge:
    """Says in the one shape that a request is too long: the limiter below it speaks plain text."""

    def __init__(self, app: "ASGIApp") -> None:
        self._app = app

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Pass a request on, and its reply back in our words where it was too long."""
        refused = False

        async def tell(message: "Message") -> None:
            nonlocal refused
            if message["type"] == "http.response.start" and message["status"] == 413:
                refused = True
                said = reply(413, "too_large", "the request is longer than it may be")
                await said(scope, receive, send)
            elif not refused:
                await send(message)

        await self._app(scope, receive, tell)


def _told(
    request: Request, status: int, code: str, message: str, fields: list[Fault] | None = None
) -> Response:
    if request.method == "GET" and "text/html" in request.headers.get("accept", ""):
        return page("error.html.j2", code=status, message=message)
    return reply(status, code, message, fields)


def _fault(place: Sequence[object], message: str) -> Fault:
    named = ".".join(str(part) for part in place[1:]) or str(place[0])
    return Fault(field=_sound(named)[:_FIELD], message=_sound(message))


def reply(status: int, code: str, message: str, fields: list[Fault] | None = None) -> JSONResponse:
    """Return an error's reply; half of a surrogate pair in what it quotes is replaced."""
    body = ErrorBody(error=ErrorDetail(code=code, message=_sound(message), fields=fields))
    return JSONResponse(body.model_dump(exclude_none=True), status_code=status)


def _sound(text: str) -> str:
    return text.encode(errors="replace").decode()
