"""A set of MCP tools: `calmkb mcp --tools example`."""

from mcp.server.mcpserver import Context

from calmkb.kb.base.tool import READS, Tool, kb_of
from calmkb.kb.journal.sessions import read_contents


def count_sessions(context: Context) -> int:
    """Return how many sessions the team's journal holds."""
    return len(read_contents(kb_of(context)).sessions)


TOOLS = (Tool(count_sessions, READS),)
