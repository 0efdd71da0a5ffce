"""Errors as replies: one shape, the code that fits, no traceback."""

from collections.abc import Mapping
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from calmkb.errors import CalmError, ConfigError, NotFoundError, RecordError, RunConflictError
from calmkb.serve.http_runs.bodies import ErrorBody, ErrorDetail, Fault

_CODES: tuple[tuple[type[CalmError], int, str], ...] = (
    (NotFoundError, 404, "not_found"),
    (RunConflictError, 409, "conflict"),
    (RecordError, 422, "invalid"),
    (ConfigError, 422, "invalid"),
)
_NAMES = {401: "token_required", 403: "forbidden", 404: "not_found", 405: "method_not_allowed",
          413: "too_large"}  # fmt: skip


def answers(*codes: int) -> dict[int | str, dict[str, Any]]:
    """Return the errors that an endpoint documents, besides those that every one has."""
    every = (400, 401, 403, 413, 421, 503)
    return {code: {"model": ErrorBody} for code in sorted({*codes, *every})}


def add_handlers(app: FastAPI) -> None:
    """Make `app` answer every error in the one shape."""

    @app.exception_handler(CalmError)
    async def _ours(_: Request, error: CalmError) -> JSONResponse:
        for kind, status, code in _CODES:
            if isinstance(error, kind):
                return reply(status, code, str(error))
        return reply(503, "unavailable", str(error))

    @app.exception_handler(RequestValidationError)
    async def _invalid(_: Request, error: RequestValidationError) -> JSONResponse:
        faults = [
            Fault(field=".".join(str(part) for part in item["loc"][1:]) or str(item["loc"][0]),
                  message=item["msg"])
            for item in error.errors()
        ]  # fmt: skip
        told = "; ".join(f"{fault.field}: {fault.message}" for fault in faults)
        return reply(422, "invalid", told, faults)

    @app.exception_handler(HTTPException)
    async def _http(_: Request, error: HTTPException) -> JSONResponse:
        code = _NAMES.get(error.status_code, "refused")
        return reply(error.status_code, code, str(error.detail), headers=error.headers)


def reply(
    status: int,
    code: str,
    message: str,
    fields: list[Fault] | None = None,
    headers: Mapping[str, str] | None = None,
) -> JSONResponse:
    """Return an error's reply; half of a surrogate pair in what it quotes is replaced."""
    sound = message.encode(errors="replace").decode()
    body = ErrorBody(error=ErrorDetail(code=code, message=sound, fields=fields))
    text = body.model_dump_json(exclude_none=True)
    return _Raw(text, status_code=status, headers=dict(headers or {}))


class _Raw(JSONResponse):
    def render(self, content: Any) -> bytes:
        return str(content).encode()
