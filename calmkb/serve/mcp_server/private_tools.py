"""The private journal over MCP: names, inputs and answers of `private-journal-mcp`."""

from collections.abc import Callable
from typing import Annotated

from mcp.server import MCPServer
from mcp.types import ToolAnnotations
from pydantic import Field

from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.private import LIMIT, PrivateJournal, Which, open_private
from calmkb.kb.search.methods import find_embedder
from calmkb.serve.mcp_server.errors import told

Thought = Annotated[str, Field(max_length=LIMIT)]
_READS = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)


def register(server: MCPServer, open_kb: Callable[[], KnowledgeBase]) -> None:
    """Add the private journal's tools to `server`."""

    def open_journal() -> PrivateJournal:
        return open_private(open_kb().environment, embed=find_embedder())

    @server.tool(
        title="Write to your private journal",
        annotations=ToolAnnotations(read_only_hint=False, destructive_hint=False,
                                    idempotent_hint=False, open_world_hint=False),
    )  # fmt: skip
    @told
    def process_thoughts(
        reflections: Annotated[Thought, Field(description="What you make of things")] = "",
        observations: Annotated[Thought, Field(description="What you noticed")] = "",
        project_notes: Annotated[Thought, Field(description="Of this project alone")] = "",
        user_context: Annotated[Thought, Field(description="Of the person you work with")] = "",
        technical_insights: Annotated[Thought, Field(description="Of the craft")] = "",
        world_knowledge: Annotated[Thought, Field(description="Of the environment")] = "",
        feelings: Annotated[Thought, Field(description="As version 1 called it")] = "",
    ) -> str:
        """Write down what is yours: it stays on this machine and is never shared."""
        notes: list[str] = []
        open_journal().write(
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

    @server.tool(title="Search your private journal", annotations=_READS)
    @told
    def search_journal(
        query: Annotated[str, Field(min_length=1, max_length=10_000)],
        limit: Annotated[int, Field(ge=1, le=100)] = 10,
        type: Which = "both",  # noqa: A002 - the reference's name
        sections: Annotated[list[str] | None, Field(description="Part of a heading")] = None,
    ) -> str:
        """Find entries like the query, most alike first."""
        return open_journal().answer_search(query, limit=limit, which=type, sections=sections or ())

    @server.tool(title="Read a private entry", annotations=_READS)
    @told
    def read_journal_entry(
        path: Annotated[str, Field(description="As search and list give it", max_length=4096)],
    ) -> str:
        """Return the exact text of an entry."""
        return open_journal().read(path)

    @server.tool(title="List recent private entries", annotations=_READS)
    @told
    def list_recent_entries(
        limit: Annotated[int, Field(ge=1, le=100)] = 10,
        type: Which = "both",  # noqa: A002 - the reference's name
        days: Annotated[int, Field(ge=1, le=36_500)] = 30,
    ) -> str:
        """List the newest entries of the last days."""
        return open_journal().answer_recent(limit=limit, which=type, days=days)

    @server.tool(title="Read recent private entries", annotations=_READS)
    @told
    def read_recent_entries(
        limit: Annotated[int, Field(ge=1, le=100)] = 5,
        type: Which = "both",  # noqa: A002 - the reference's name
    ) -> str:
        """Return the newest entries whole."""
        return open_journal().answer_texts(limit=limit, which=type)
