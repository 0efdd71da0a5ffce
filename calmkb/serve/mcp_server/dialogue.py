"""A question to the person at the client (MCP elicitation); the agent cannot answer it."""

from typing import Literal

from mcp.server.elicitation import AcceptedElicitation
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.resolve import Elicit
from mcp.shared.exceptions import MCPError
from mcp_types.version import is_version_at_least
from pydantic import BaseModel, ValidationError

_ASKED_BETWEEN_CALLS = "2026-07-28"
"""From this version of the protocol on, a question is the result of a call, which is repeated."""


class Form(BaseModel):
    """Nothing to fill in: to accept or to decline is the answer."""


class Answer(BaseModel):
    """What the person did; `nobody` where the client cannot ask."""

    action: Literal["accept", "decline", "cancel", "nobody"]


async def ask(context: Context, message: str) -> Elicit[Form] | Answer:
    """Ask the person at the client, for a resolver to return.

    Nobody is asked where the client cannot, or where there is no `message`.
    """
    version = context.protocol_version
    if version is None or not message or not _shows_forms(context):
        return Answer(action="nobody")
    if is_version_at_least(version, _ASKED_BETWEEN_CALLS):
        return Elicit(message, Form)
    try:
        # Not `Context.elicit`: it takes an answer without a form's content for a fault.
        result = await context.session.elicit_form(
            message, {"type": "object", "properties": {}}, context.request_id
        )
    except (MCPError, ValidationError):
        return Answer(action="nobody")
    return Answer(action=result.action)


def action_of(outcome: object) -> str:
    """Return what the person did: accept, decline, cancel, or nobody was asked."""
    if not isinstance(outcome, AcceptedElicitation):
        return str(getattr(outcome, "action", "cancel"))
    return outcome.data.action if isinstance(outcome.data, Answer) else "accept"


def _shows_forms(context: Context) -> bool:
    capabilities = context.client_capabilities
    found = capabilities.elicitation if capabilities else None
    # `elicitation: {}` is what clients declared before there were several modes.
    return found is not None and (found.form is not None or found.url is None)
