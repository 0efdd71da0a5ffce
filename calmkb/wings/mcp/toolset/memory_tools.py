"""Memories over MCP: search, list, delete, feedback."""

from typing import Annotated, Literal

from mcp.server.elicitation import ElicitationResult
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.resolve import Elicit, Resolve
from pydantic import BaseModel, Field

from calmkb.errors import CalmError
from calmkb.kb.base.tool import ADDS, DESTROYS, READS, Tool, kb_of
from calmkb.kb.memories import agent_proposals as proposals
from calmkb.kb.memories import memories as verbs
from calmkb.kb.memories.approval import approvals
from calmkb.kb.memories.memories import record_feedback as give_feedback
from calmkb.model import Approval, Category, Memory
from calmkb.wings.mcp.tools import for_client
from calmkb.wings.mcp.toolset.dialogue import Answer, Form, action_of, ask, deleting_question
from calmkb.wings.mcp.toolset.memory_rows import TEXT_LIMIT, MemoryRow, row_of


class SimilarMemory(MemoryRow):
    """A memory and its similarity to the query, 0 to 1."""

    similarity: float


class MemoryList(BaseModel):
    """Approved memories, and how many; `waiting` counts proposals that no person has seen."""

    memories: list[MemoryRow]
    count: int
    waiting: int


class SimilarMemories(BaseModel):
    """Memories, most similar first."""

    memories: list[SimilarMemory]
    count: int


class Deleted(BaseModel):
    """The deleted memory; git keeps its history."""

    id: str
    content: str


class FeedbackCounts(BaseModel):
    """How often a memory was said to have helped, and to have harmed."""

    helpful: int
    harmful: int


def retrieve_memories(
    context: Context, query: Annotated[str, Field(min_length=1, max_length=TEXT_LIMIT)],
    limit: Annotated[int, Field(ge=1, le=100)] = 10,
    min_similarity: Annotated[float, Field(ge=0, le=1)] = 0.0, category: Category | None = None,
) -> SimilarMemories:  # fmt: skip
    """Find approved team memories that are similar to a text, with their similarity."""
    kb = kb_of(context)
    found = verbs.retrieve_memories(
        kb, query, limit=limit, min_similarity=min_similarity, category=category
    )
    approved = approvals(kb, [f.memory for f in found])
    rows = [_similar(f, approved[f.memory.id]) for f in found]
    return SimilarMemories(memories=rows, count=len(rows))


def list_memories(
    context: Context, category: Category | None = None,
    limit: Annotated[int, Field(ge=1, le=200)] = 50, offset: Annotated[int, Field(ge=0)] = 0,
) -> MemoryList:  # fmt: skip
    """List approved team memories, newest first, and count the proposals that wait."""
    kb = kb_of(context)
    found = verbs.list_memories(kb, category=category, limit=limit, offset=offset)
    approved = approvals(kb, found)
    return MemoryList(
        memories=[MemoryRow.model_validate(row_of(m, approved[m.id])) for m in found],
        count=len(found),
        waiting=proposals.waiting_count(kb),
    )


async def ask_to_delete(context: Context, memory_id: str, reason: str) -> Elicit[Form] | Answer:
    """Ask the person whether a memory may be deleted."""
    return await ask(context, deleting_question(_find(context, memory_id), reason))


@for_client
def _find(context: Context, memory_id: str) -> Memory:
    return verbs.get_memory(kb_of(context), memory_id)


def delete_memory(
    context: Context,
    memory_id: str,
    answer: Annotated[ElicitationResult[Form], Resolve(ask_to_delete)],
    reason: Annotated[str, Field(max_length=TEXT_LIMIT)] = "",
) -> Deleted:
    """Delete a team memory that is wrong, if the person agrees in a dialogue."""
    if action_of(answer) != "accept":
        raise CalmError(
            f"memory {memory_id} was not deleted: no person agreed to it here. They can do it "
            f"with: calmkb memory retire {memory_id[:8]}; if it misled you, say so with "
            "record_feedback"
        )
    gone = verbs.retire_memory(kb_of(context), memory_id, reason=reason)[0]
    return Deleted(id=gone.id, content=gone.text)


def record_feedback(
    context: Context, memory_id: str, verdict: Literal["helpful", "harmful"],
    note: Annotated[str, Field(max_length=TEXT_LIMIT)] = "",
) -> FeedbackCounts:  # fmt: skip
    """Say that a team memory helped or misled you."""
    counts = give_feedback(kb_of(context), memory_id, verdict, note=note, given_by="agent")
    return FeedbackCounts(helpful=counts.helpful, harmful=counts.harmful)


def _similar(found: verbs.Found, approval: Approval) -> SimilarMemory:
    row = row_of(found.memory, approval)
    return SimilarMemory.model_validate(row | {"similarity": found.similarity})


TOOLS = (
    Tool(retrieve_memories, READS),
    Tool(list_memories, READS),
    Tool(delete_memory, DESTROYS),
    Tool(record_feedback, ADDS),
)
