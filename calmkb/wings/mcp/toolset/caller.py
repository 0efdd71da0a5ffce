"""Who calls a tool: the client's agent, its session, and the folder it works in."""

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from urllib.request import url2pathname

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.resolve import ListRoots
from mcp.types import ListRootsResult

from calmkb.errors import RecordError
from calmkb.kb.base.tool import kb_of

if TYPE_CHECKING:
    from calmkb.kb.journal.agent_session import AgentSession

_STARTED = time.time()


def session_of(context: Context) -> "AgentSession":
    """Return the agent that calls and, from a client on this machine, its session."""
    from calmkb.kb.journal.agent_session import AgentSession, known_agent, served_session

    params = context.session.client_params
    agent = known_agent(params.client_info.name) if params else "mcp"
    if context.request_context.request is not None:  # over HTTP this is not the client's process
        return AgentSession(agent)
    found = served_session(kb_of(context).environment, client=os.getppid(), since=_STARTED)
    return found if found.agent == agent else AgentSession(agent)


async def ask_roots(
    context: Context, working_directory: str | None = None
) -> ListRoots | ListRootsResult:
    """Ask the client for its folders where the call names none and the client can tell."""
    capabilities = context.client_capabilities
    can_tell = capabilities is not None and capabilities.roots is not None
    if working_directory is None and can_tell:
        return ListRoots()
    return ListRootsResult(roots=[])


def folder_of(working_directory: str | None, roots: ListRootsResult) -> str:
    """Return the folder that a call is about; RecordError where neither it nor the client tells."""
    if working_directory is not None:
        if not working_directory.strip():
            raise RecordError(
                "working_directory: empty; give the absolute folder that the session worked in"
            )
        # With dots in it, a path into the home would not be known for one.
        return os.path.normpath(working_directory)
    for root in roots.roots:
        place = urlsplit(str(root.uri))
        if place.scheme == "file":
            return str(Path(url2pathname(place.path)))
    raise RecordError(
        "working_directory: not given, and the client names no folder; "
        "give the absolute folder that the session worked in"
    )
