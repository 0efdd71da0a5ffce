"""Errors as replies: one shape, the fitting status code, no traceback."""

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
from calmkb.wings.runs.http.bodies import ErrorBody, ErrorDetail, FieldError
from calmkb.wings.runs.http.templates import page

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

_CODES: tuple[tuple[type[CalmError] | tuple[type[CalmError], ...], int, str], ...] = (
    (NotFoundError, 404, "not_found"),
    (RunConflictError, 409, "conflict"),
    ((RecordError, ConfigError), 422, "invalid"),
    (TrustError, 403, "not_allowed"),
)
_NAMES = {401: "token_required", 403: "forbidden", 404: "not_found", 405: "method_not_allowed",
          413: "too_large"}  # fmt: skip
_MOST_FIELDS = 20
_FIELD_LENGTH = 200


def errors_of(*codes: int) -> dict[int | str, dict[str, Any]]:
    """Return the errors that an endpoint documents, beside those of every endpoint."""
    every = (400, 401, 403, 413, 421, 503)
    return {code: {"model": ErrorBody} for code in sorted({*codes, *every})}


def stream_errors_of(*codes: int) -> dict[int | str, dict[str, Any]]:
    """Return the same for an endpoint that streams: its errors are JSON still."""
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/ErrorBody"}}}
    return {code: {"content": content} for code in errors_of(*codes)}


def field_error(field: str, message: str) -> RequestValidationError:
    """Return an error for a field of the body that is well formed but invalid."""
    return RequestValidationError([{"loc": ("body", field), "msg": message}])


def add_handlers(app: FastAPI) -> None:
    """Make `app` answer every error in one shape, and people with a page."""

    @app.exception_handler(CalmError)
    async def _ours(request: Request, error: CalmError) -> Response:
        for kind, status, code in _CODES:
            if isinstance(error, kind):
                return _error(request, status, code, str(error))
        return _error(request, 503, "unavailable", str(error))

    @app.exception_handler(SQLAlchemyError)
    async def _database(request: Request, _: SQLAlchemyError) -> Response:
        return _error(request, 503, "unavailable", "the run journal's database does not answer")

    @app.exception_handler(RequestValidationError)
    async def _invalid(request: Request, error: RequestValidationError) -> Response:
        faults = [_field_error(item["loc"], item["msg"]) for item in error.errors()[:_MOST_FIELDS]]
        message = "; ".join(f"{fault.field}: {fault.message}" for fault in faults)
        return _error(request, 422, "invalid", message, faults)

    @app.exception_handler(HTTPException)
    async def _http(request: Request, error: HTTPException) -> Response:
        code = _NAMES.get(error.status_code, "refused")
        answer = _error(request, error.status_code, code, str(error.detail))
        answer.headers.update(error.headers or {})
        return answer

    @app.exception_handler(Exception)
    async def _bug(request: Request, _: Exception) -> Response:
        message = "unexpected error in calmkb (this is a bug); see the server's output"
        return _error(request, 500, "fault", message)


def json_too_large(app: "ASGIApp") -> "ASGIApp":
    """Answer too long a request in the shape of all errors: the limiter sends plain text."""

    async def answer(scope: "Scope", receive: "Receive", send: "Send") -> None:
        refused = False

        async def send_json(message: "Message") -> None:
            nonlocal refused
            if message["type"] == "http.response.start" and message["status"] == 413:
                refused = True
                error = reply(413, "too_large", "the request is too long")
                await error(scope, receive, send)
            elif not refused:
                await send(message)

        await app(scope, receive, send_json)

    return answer


def _error(
    request: Request, status: int, code: str, message: str, fields: list[FieldError] | None = None
) -> Response:
    if request.method == "GET" and "text/html" in request.headers.get("accept", ""):
        return page("error.html.j2", code=status, message=message)
    return reply(status, code, message, fields)


def _field_error(place: Sequence[object], message: str) -> FieldError:
    named = ".".join(str(part) for part in place[1:]) or str(place[0])
    return FieldError(field=_encodable(named)[:_FIELD_LENGTH], message=_encodable(message))


def reply(
    status: int, code: str, message: str, fields: list[FieldError] | None = None
) -> JSONResponse:
    """Return an error's reply; unpaired surrogates in quoted text are replaced."""
    body = ErrorBody(error=ErrorDetail(code=code, message=_encodable(message), fields=fields))
    return JSONResponse(body.model_dump(exclude_none=True), status_code=status)


def _encodable(text: str) -> str:
    return text.encode(errors="replace").decode()
