"""What an MCP tool is: a function, and what it does to the world. Wings and packages add some."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

from mcp.server.mcpserver import Context
from mcp.types import ToolAnnotations

from calmkb.kb.base.knowledge_base import KnowledgeBase


def _writes(*, destroys: bool = False, repeatable: bool = False) -> ToolAnnotations:
    return ToolAnnotations(
        read_only_hint=False, destructive_hint=destroys, idempotent_hint=repeatable or None
    )


READS = ToolAnnotations(read_only_hint=True)
ADDS = _writes()
ADDS_ONCE = _writes(repeatable=True)
DESTROYS = _writes(destroys=True, repeatable=True)


@dataclass(frozen=True, slots=True)
class Tool:
    """A function that a client may call: its name is the tool's, its docstring the description."""

    function: Callable[..., Any]
    annotations: ToolAnnotations


def kb_of(context: Context) -> KnowledgeBase:
    """Return the knowledge base of the server that a tool is called on."""
    server: Any = context.mcp_server
    return cast("KnowledgeBase", server.open_kb())


def journal_path_of(context: Context) -> str | None:
    """Return the one folder for both private journals that the server was given, if any."""
    server: Any = context.mcp_server
    return cast("str | None", server.journal_path)
