"""How every tool is called: null means unset, and a wrong argument is named in plain words."""

from typing import Any

from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import CallToolResult, InputRequiredResult
from pydantic import ValidationError


class ToolServer(MCPServer):
    """A server whose tools may be called as strict clients do, with null for what is unset."""

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context | None = None
    ) -> CallToolResult | InputRequiredResult:
        """Call a tool; ToolError names each wrong argument."""
        given = {key: value for key, value in arguments.items() if value is not None}
        try:
            return await super().call_tool(name, given, context)
        except ToolError as error:
            if isinstance(error.__cause__, ValidationError):
                raise ToolError(_faults(name, error.__cause__)) from error.__cause__
            raise


def _faults(name: str, error: ValidationError) -> str:
    faults = [
        f"{'.'.join(map(str, one['loc'])) or 'arguments'}: {one['msg']}"
        for one in error.errors(include_url=False, include_input=False, include_context=False)
    ]
    return f"{name} was called with wrong arguments: {'; '.join(faults)}"
