"""The private journal over MCP: names, inputs and answers of `private-journal-mcp`."""

import sys
import threading
from collections.abc import Sequence
from typing import Annotated

from mcp.server.mcpserver import Context
from pydantic import Field

from calmkb.kb.base.environment import process_environment
from calmkb.kb.base.points import embedder
from calmkb.kb.base.tool import ADDS, READS, Tool, journal_path_of, kb_of
from calmkb.wings.private.answers import recent_answer, search_answer, texts_answer
from calmkb.wings.private.verbs import LIMIT, PrivateJournal, Which, open_private

Thought = Annotated[str, Field(max_length=LIMIT)]
Limit = Annotated[int, Field(ge=0, le=10_000)]


def process_thoughts(
    context: Context, reflections: Thought = "", observations: Thought = "",
    project_notes: Thought = "", user_context: Thought = "", technical_insights: Thought = "",
    world_knowledge: Thought = "",
    feelings: Thought = "",
) -> str:  # fmt: skip
    """Note privately what you feel, doubt or noticed, in your private journal, your own diary."""
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
    """Find private entries similar to a text, in your own private journal or diary."""
    found = _journal(context).search(query, limit=limit, which=type, sections=sections or ())
    return search_answer(found, query)


def read_journal_entry(context: Context, path: Annotated[str, Field(max_length=4096)]) -> str:
    """Open an entry of your private journal by its path and show its exact text."""
    return _journal(context).read(path)


def list_recent_entries(
    context: Context,
    limit: Limit = 10,
    type: Which = "both",  # noqa: A002 - the reference's name
    days: Annotated[int, Field(ge=0, le=36_500)] = 30,
) -> str:
    """List the latest entries of your private journal, of a week or some days, with excerpts."""
    return recent_answer(_journal(context).recent(limit=limit, which=type, days=days), days)


def read_recent_entries(
    context: Context,
    limit: Limit = 5,
    type: Which = "both",  # noqa: A002 - the reference's name
) -> str:
    """Read the full text of your latest private journal entries."""
    return texts_answer(_journal(context).recent(limit=limit, which=type))


def _journal(context: Context) -> PrivateJournal:
    option = journal_path_of(context)
    return open_private(kb_of(context).environment, option=option, embed=embedder())


TOOLS = (
    Tool(process_thoughts, ADDS),
    Tool(search_journal, READS),
    Tool(read_journal_entry, READS),
    Tool(list_recent_entries, READS),
    Tool(read_recent_entries, READS),
)


def server_started(tool_sets: Sequence[str], journal_path: str | None) -> None:
    """Make the missing embeddings while an MCP server with the private tools already answers."""
    embed = embedder() if {"private", "default", "main", "all"} & set(tool_sets) else None
    if embed is None:
        return
    environment = process_environment()

    def work() -> None:
        count = open_private(environment, option=journal_path, embed=embed).embed_missing()
        if count:
            print(f"calmkb: made {count} missing embeddings", file=sys.stderr)

    threading.Thread(target=work, daemon=True, name="calmkb-embeddings").start()
