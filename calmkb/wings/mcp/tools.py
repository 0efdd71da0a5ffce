"""The server, and how every tool is called.

Null means unset, a wrong argument is named in plain words, an error of the input is a tool error,
and invisible characters in an answer are written as code points.
"""

import difflib
import re
from collections.abc import Callable, Container, Iterable
from functools import wraps
from inspect import iscoroutinefunction
from typing import Any, ParamSpec, TypeVar, cast

from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.stdio import stdio_server
from mcp.types import Tool as ListedTool
from mcp_types import CallToolResult, InputRequiredResult
from pydantic import BaseModel, ValidationError

from calmkb.errors import CalmError
from calmkb.kb.base.knowledge_base import KnowledgeBase, close_git
from calmkb.kb.text import show_invisible
from calmkb.wings.mcp.schemas import input_schema, output_schema
from calmkb.wings.mcp.stdio import repaired_input

P = ParamSpec("P")
R = TypeVar("R")

_TOOLS = {
    "find ids with: calmkb search WORDS": "find ids with search",
    "list them with: calmkb session list": "list them with list_journal_entries",
    " (next_steps, --next)": " in next_steps",
    ", or of signals, as `calmkb signal query` shows them": "",
}
"""Advice for a terminal, and the same for a model."""
_COMMAND = re.compile(r"\bcalmkb (?!reflect\b)[a-z]|(?<!\S)[`(]?--[a-z]")
"""Advice that is dropped; an agent may tell its person of `calmkb reflect`, where they decide."""


class ToolServer(MCPServer):
    """A server whose tools may be called as strict clients do, with null for what is unset.

    `open_kb` is called for every tool call, so that a knowledge base made meanwhile is found. Tools
    that are not `shown` are not listed, and answer all the same. `journal_path` names one folder
    for both private journals.
    """

    def __init__(
        self, *, open_kb: Callable[[], KnowledgeBase], shown: Container[str],
        journal_path: str | None, **more: Any,
    ) -> None:  # fmt: skip
        super().__init__("calmkb", **more)
        self.open_kb = open_kb
        self.shown = shown
        self.journal_path = journal_path

    async def list_tools(self) -> list[ListedTool]:
        """Return the tools that are shown, with their schemas in short."""
        return [
            tool.model_copy(
                update={
                    "input_schema": input_schema(tool.input_schema),
                    "output_schema": output_schema(tool.output_schema or {}),
                }
            )
            for tool in await super().list_tools()
            if tool.name in self.shown
        ]

    async def run_stdio_async(self) -> None:
        """Serve on standard input and output until the client closes them."""
        async with stdio_server(stdin=repaired_input()) as (reading, writing):
            served = self._lowlevel_server
            await served.run(reading, writing, served.create_initialization_options())

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context | None = None
    ) -> CallToolResult | InputRequiredResult:
        """Call a tool; ToolError names each argument that is wrong or that it does not have."""
        for tool in await super().list_tools():
            if tool.name == name and (message := _unknown_arguments(arguments, tool)):
                raise ToolError(message)
        given = {key: value for key, value in arguments.items() if value is not None}
        try:
            return await super().call_tool(name, given, context)
        except ToolError as error:
            if isinstance(error.__cause__, ValidationError):
                raise ToolError(_wrong_arguments(name, error.__cause__)) from error.__cause__
            raise
        finally:
            close_git()


def for_client(function: Callable[P, R]) -> Callable[P, R]:
    """Return `function` with readable answers; its CalmErrors, and the disk's, are tool errors.

    TypeError where it is asynchronous: its answer would go past both.
    """
    if iscoroutinefunction(function):
        raise TypeError(f"tool {function.__name__} is asynchronous; write it as a plain function")

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return cast("R", _visible(function(*args, **kwargs)))
        except (CalmError, OSError) as error:
            raise ToolError(show_invisible(_in_tool_words(str(error)))) from error

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


def _in_tool_words(message: str) -> str:
    """Return an error without advice that only a terminal can follow."""
    for there, here in _TOOLS.items():
        message = message.replace(there, here)
    first, *more = message.split("; ")
    return "; ".join([first, *(part for part in more if not _COMMAND.search(part))])


def _unknown_arguments(given: Iterable[str], tool: ListedTool) -> str:
    """Return the words on the arguments that a tool does not have, or nothing."""
    known = list(tool.input_schema["properties"])
    words = []
    for argument in given:
        if argument not in known:
            near = difflib.get_close_matches(argument, known, n=1)
            words.append(f"{argument[:80]!r}" + (f" (did you mean {near[0]}?)" if near else ""))
    if not words:
        return ""
    return f"{tool.name} has no argument {', '.join(words[:5])}; it takes {', '.join(known)}"


def _wrong_arguments(name: str, error: ValidationError) -> str:
    """Return the words on each argument that is wrong."""
    problems = [
        f"{'.'.join(map(str, one['loc'])) or 'arguments'}: {one['msg']}"
        for one in error.errors(include_url=False, include_input=False, include_context=False)
    ]
    return f"{name} was called with wrong arguments: {'; '.join(problems)}"
