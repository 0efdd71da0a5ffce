"""Faults of the input as tool errors; everything else stays on the server."""

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from mcp.server.mcpserver.exceptions import ToolError

from calmkb.errors import CalmError

P = ParamSpec("P")
R = TypeVar("R")


def told(function: Callable[P, R]) -> Callable[P, R]:
    """Turn a fault of the input into a tool error that says what was wrong and what mends it."""

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except CalmError as error:
            raise ToolError(str(error)) from error

    return call
