"""Questions to the person at the client (MCP elicitation), which the agent cannot answer.

Claude Code 2.1 shows three lines of a question, each cut at the width of the terminal. So the exact
text and the effect are in the first three lines; a question that does not fit is not asked here.
"""

import textwrap
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Literal

from mcp.server.elicitation import AcceptedElicitation
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.resolve import Elicit
from mcp.shared.exceptions import MCPError
from mcp_types.version import is_version_at_least
from pydantic import BaseModel, ValidationError

from calmkb.kb.memories.agent_proposals import ComparedProposal
from calmkb.kb.text import show_invisible
from calmkb.model import GLOBAL_SCOPE, UNKNOWN_SCOPE, Memory

LINES, WIDTH = 3, 72
"""The visible part of a question in a terminal of 80 columns."""
NOTES: Mapping[str, str] = {
    "approved": "A person approved it; it is a memory now.",
    "proposed": "It waits for a person, who decides with `calmkb reflect`; tell them.",
    "known": "A memory says the same, so nothing was stored.",
    "rejected": "A person rejected it; do not propose it again.",
}
_ASKED_BETWEEN_CALLS = "2026-07-28"
"""From this protocol version on, a question is the result of a call, which is then repeated."""


class Form(BaseModel):
    """An empty form: accepting or declining is the answer."""


class Answer(BaseModel):
    """What the person did; `nobody` where the client cannot ask."""

    action: Literal["accept", "decline", "cancel", "nobody"]


async def ask(context: Context, message: str) -> Elicit[Form] | Answer:
    """Ask the person at the client, for a resolver to return.

    The answer is `nobody` where the client cannot ask, or where `message` is empty.
    """
    version = context.protocol_version
    if version is None or not message or not _shows_forms(context):
        return Answer(action="nobody")
    if is_version_at_least(version, _ASKED_BETWEEN_CALLS):
        return Elicit(message, Form)
    try:
        # Not `Context.elicit`: it treats an answer without form content as an error.
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
    # Clients declared `elicitation: {}` before there were several modes.
    return found is not None and (found.form is not None or found.url is None)


def keeping_question(offered: ComparedProposal) -> str:
    """Return the question whether a proposal becomes a memory, or nothing if it is too long."""
    memory, verdict = offered.memory, offered.verdict
    where = {GLOBAL_SCOPE: "every project", UNKNOWN_SCOPE: "a project to be named later"}.get(
        memory.scope
    ) or _line(memory.scope)
    words = f"\u201c{_line(memory.text)}\u201d"
    asked = f"Keep for {where} ({memory.category})? {words}"
    if verdict.kind == "conflict" and verdict.text:
        before = f"\u201c{_line(verdict.text)}\u201d ({verdict.other[:8]})"
        asked = f"Replace {before} for {where} by this {memory.category}? {words}"
    more = ["Accept: keep it. Decline: reject it for good. Cancel: decide later."]
    if verdict.kind != "new" and not verdict.text:
        word = "contradicts" if verdict.kind == "conflict" else "says the same as"
        more.append(f"It {word} another proposal that waits ({verdict.other[:8]}).")
    if memory.tags:
        more.append(f"Tags: {', '.join(map(_line, memory.tags))}")
    more.append("It cites:" if memory.evidence else "An agent wrote it and cites no session.")
    more += [
        f"- {e.date}, {_line(e.project) or 'signal'} ({e.source[:8]}): {_line(e.quote)}"
        for e in memory.evidence
    ]
    return _question(asked, more)


def deleting_question(memory: Memory, reason: str) -> str:
    """Return the question whether a memory is deleted, or nothing if it is too long."""
    asked = f"Delete the memory {memory.id[:8]}? \u201c{_line(memory.text)}\u201d"
    words = (
        f"The agent's reason: {_line(reason)}" if reason.strip() else "The agent gives no reason."
    )
    return _question(asked, [words, "git keeps its history."])


def _question(asked: str, more: Sequence[str]) -> str:
    """Return the question with details below it, or nothing if it has too many lines."""
    wide = any(unicodedata.east_asian_width(character) in "WF" for character in asked)
    lines = textwrap.wrap(asked, WIDTH // 2 if wide else WIDTH, break_on_hyphens=False)
    return "\n".join([*lines, "", *more]) if len(lines) <= LINES else ""


def _line(text: str) -> str:
    """Return text as one line, its line ends and invisible characters shown."""
    lines = (" ".join(line.split()) for line in show_invisible(text).split("\n"))
    return " \u23ce ".join(lines)
