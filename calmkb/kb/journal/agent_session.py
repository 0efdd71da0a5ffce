"""Which session of which agent a wrap-up is about, as the agent's client tells it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from calmkb.kb.base.environment import Environment
from calmkb.model import SessionContent
from calmkb.store.local.sessions import client_session

C = TypeVar("C", bound=SessionContent)
_VARIABLES = {"claude-code": "CLAUDE_CODE_SESSION_ID", "codex": "CODEX_THREAD_ID"}
"""What a client sets to its session's id, for the programs that it runs."""


@dataclass(frozen=True, slots=True)
class AgentSession:
    """An agent and its own id of the session; empty where it is not known."""

    agent: str = ""
    session_id: str = ""


def calling_session(env: Mapping[str, str]) -> AgentSession:
    """Return the session whose agent runs this program."""
    for agent, variable in _VARIABLES.items():
        if session_id := env.get(variable, "").strip():
            return AgentSession(agent, session_id)
    return AgentSession()


def served_session(environment: Environment, *, client: int, since: float) -> AgentSession:
    """Return the session whose agent a server answers that runs `since` then for `client`."""
    first = calling_session(environment.env)
    if first.session_id and (later := client_session(environment.state, client, since)):
        return replace(first, session_id=later)
    return first


def with_session(content: C, session: AgentSession) -> C:
    """Return `content` as of `session`, unless it says that it is of another one."""
    if content.agent not in ("", session.agent):
        return content
    if content.session_id not in ("", session.session_id):
        return content
    return replace(content, agent=session.agent, session_id=session.session_id)


def known_agent(client: str) -> str:
    """Return the agent's name as transcripts and imports have it, else the client's own name."""
    from calmkb.capture.formats.table import FORMATS  # every format's reader

    name = client.strip().lower()
    return next((known for known in sorted(FORMATS) if name.startswith(known)), name) or "mcp"
