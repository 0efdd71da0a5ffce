"""What goes back to a client: answers fit to be read, and faults of the input as tool errors."""

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar, cast

from mcp.server.mcpserver.exceptions import ToolError
from pydantic import BaseModel

from calmkb.errors import CalmError
from calmkb.kb.text import show_invisible

P = ParamSpec("P")
R = TypeVar("R")


def told(function: Callable[P, R]) -> Callable[P, R]:
    """Write out what is invisible in an answer; turn a fault of the input into a tool error."""

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return cast("R", shown(function(*args, **kwargs)))
        except CalmError as error:
            raise ToolError(show_invisible(str(error))) from error

    return call


def shown(answer: Any) -> Any:
    """Return an answer with the invisible characters of its texts written as code points."""
    if isinstance(answer, str):
        return show_invisible(answer)
    if isinstance(answer, BaseModel):
        fields = {name: shown(getattr(answer, name)) for name in type(answer).model_fields}
        return answer.model_copy(update=fields)
    if isinstance(answer, list):
        return [shown(item) for item in answer]
    if isinstance(answer, dict):
        return {shown(key): shown(item) for key, item in answer.items()}
    return answer
