"""The private journal over MCP: names, inputs and answers of `private-journal-mcp`."""

from typing import Annotated

from mcp.server.mcpserver import Context
from pydantic import Field

from calmkb.kb.private import LIMIT, PrivateJournal, Which, open_private
from calmkb.kb.search.methods import find_embedder
from calmkb.serve.mcp_server.tools import ADDS, READS, Tool, kb_of

Thought = Annotated[str, Field(max_length=LIMIT)]
Limit = Annotated[int, Field(ge=1, le=100)]


def process_thoughts(
    context: Context,
    reflections: Annotated[Thought, Field(description="Your reflections")] = "",
    observations: Annotated[Thought, Field(description="What you noticed")] = "",
    project_notes: Annotated[Thought, Field(description="About this project only")] = "",
    user_context: Annotated[Thought, Field(description="About the person you work with")] = "",
    technical_insights: Annotated[Thought, Field(description="Software engineering")] = "",
    world_knowledge: Annotated[Thought, Field(description="Anything else you learnt")] = "",
    feelings: Annotated[Thought, Field(description="As version 1 named it")] = "",
) -> str:
    """Write to your private journal: it stays on this machine and is never shared."""
    notes: list[str] = []
    _journal(context).write(
        {
            "reflections": reflections,
            "observations": observations,
            "project_notes": project_notes,
            "user_context": user_context,
            "technical_insights": technical_insights,
            "world_knowledge": world_knowledge,
            "feelings": feelings,
        },
        note=notes.append,
    )
    return "\n".join(["Thoughts recorded successfully.", *notes])


def search_journal(
    context: Context,
    query: Annotated[str, Field(min_length=1, max_length=10_000)],
    limit: Limit = 10,
    type: Which = "both",  # noqa: A002 - the reference's name
    sections: Annotated[list[str] | None, Field(description="Part of a heading")] = None,
) -> str:
    """Find entries similar to the query, best first."""
    journal = _journal(context)
    return journal.answer_search(query, limit=limit, which=type, sections=sections or ())


def read_journal_entry(
    context: Context,
    path: Annotated[str, Field(description="As search and list give it", max_length=4096)],
) -> str:
    """Return the exact text of an entry."""
    return _journal(context).read(path)


def list_recent_entries(
    context: Context,
    limit: Limit = 10,
    type: Which = "both",  # noqa: A002 - the reference's name
    days: Annotated[int, Field(ge=1, le=36_500)] = 30,
) -> str:
    """List the newest entries of the last days."""
    return _journal(context).answer_recent(limit=limit, which=type, days=days)


def read_recent_entries(
    context: Context,
    limit: Limit = 5,
    type: Which = "both",  # noqa: A002 - the reference's name
) -> str:
    """Return the full text of the newest entries."""
    return _journal(context).answer_texts(limit=limit, which=type)


def _journal(context: Context) -> PrivateJournal:
    return open_private(kb_of(context).environment, embed=find_embedder())


TOOLS = (
    Tool(process_thoughts, "Write to your private journal", ADDS),
    Tool(search_journal, "Search your private journal", READS),
    Tool(read_journal_entry, "Read a private entry", READS),
    Tool(list_recent_entries, "List recent private entries", READS),
    Tool(read_recent_entries, "Read recent private entries", READS),
)
