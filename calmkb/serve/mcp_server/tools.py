"""What a tool is, and how every one is called.

Null means unset, a wrong argument is named in plain words, an error of the input is a tool error,
and invisible characters in an answer are written as code points.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import wraps
from typing import Any, ParamSpec, TypeVar, cast

from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations
from mcp_types import CallToolResult, InputRequiredResult
from pydantic import BaseModel, ValidationError

from calmkb.errors import CalmError
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.text import show_invisible

P = ParamSpec("P")
R = TypeVar("R")


def _annotations(*, reads: bool, destroys: bool, repeatable: bool) -> ToolAnnotations:
    return ToolAnnotations(
        read_only_hint=reads,
        destructive_hint=None if reads else destroys,
        idempotent_hint=repeatable,
        open_world_hint=False,
    )


READS = _annotations(reads=True, destroys=False, repeatable=True)
ADDS = _annotations(reads=False, destroys=False, repeatable=False)
ADDS_ONCE = _annotations(reads=False, destroys=False, repeatable=True)
DESTROYS = _annotations(reads=False, destroys=True, repeatable=True)


@dataclass(frozen=True, slots=True)
class Tool:
    """A function that a client may call: its name is the tool's, its docstring the description."""

    function: Callable[..., Any]
    title: str
    annotations: ToolAnnotations


class ToolServer(MCPServer):
    """A server whose tools may be called as strict clients do, with null for what is unset.

    `open_kb` is called for every tool call, so that a knowledge base made meanwhile is found.
    """

    def __init__(self, *, open_kb: Callable[[], KnowledgeBase], **more: Any) -> None:
        super().__init__("calmkb", **more)
        self.open_kb = open_kb

    def add_tools(self, tools: Iterable[Tool]) -> None:
        """Offer `tools` to clients."""
        for tool in tools:
            function = for_client(tool.function)
            self.add_tool(function, title=tool.title, annotations=tool.annotations)

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context | None = None
    ) -> CallToolResult | InputRequiredResult:
        """Call a tool; ToolError names each wrong argument."""
        given = {key: value for key, value in arguments.items() if value is not None}
        try:
            return await super().call_tool(name, given, context)
        except ToolError as error:
            if isinstance(error.__cause__, ValidationError):
                raise ToolError(_problems(name, error.__cause__)) from error.__cause__
            raise


def kb_of(context: Context) -> KnowledgeBase:
    """Return the knowledge base of the server that a tool is called on."""
    return cast("ToolServer", context.mcp_server).open_kb()


def for_client(function: Callable[P, R]) -> Callable[P, R]:
    """Return `function` with readable answers, its CalmErrors raised as tool errors."""

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return cast("R", _visible(function(*args, **kwargs)))
        except CalmError as error:
            raise ToolError(show_invisible(str(error))) from error

    return call


def _visible(answer: Any) -> Any:
    """Return an answer with the invisible characters of its texts written as code points."""
    if isinstance(answer, str):
        return show_invisible(answer)
    if isinstance(answer, BaseModel):
        fields = {name: _visible(getattr(answer, name)) for name in type(answer).model_fields}
        return answer.model_copy(update=fields)
    if isinstance(answer, list):
        return [_visible(item) for item in answer]
    if isinstance(answer, dict):
        return {_visible(key): _visible(item) for key, item in answer.items()}
    return answer


def _problems(name: str, error: ValidationError) -> str:
    problems = [
        f"{'.'.join(map(str, one['loc'])) or 'arguments'}: {one['msg']}"
        for one in error.errors(include_url=False, include_input=False, include_context=False)
    ]
    return f"{name} was called with wrong arguments: {'; '.join(problems)}"
