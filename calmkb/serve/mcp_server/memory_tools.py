"""Memories over MCP: found, listed, removed, judged."""

from collections.abc import Callable
from typing import Annotated, Literal

from mcp.server import MCPServer
from mcp.server.elicitation import ElicitationResult
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.resolve import Elicit, Resolve
from mcp.types import ToolAnnotations
from pydantic import BaseModel, Field

from calmkb.errors import CalmError
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.memories import agent_proposals as proposals
from calmkb.kb.memories import memories as verbs
from calmkb.kb.memories.approval import approvals
from calmkb.kb.memories.feedback import record_feedback as give_feedback
from calmkb.model import Approval, Category, Memory
from calmkb.serve.mcp_server import proposal_tools
from calmkb.serve.mcp_server.dialogue import Answer, Form, action_of, ask
from calmkb.serve.mcp_server.errors import told
from calmkb.serve.mcp_server.memory_rows import TEXT_LIMIT, MemoryRow, row_of
from calmkb.serve.mcp_server.questions import deleting_question

_READS = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)


class SimilarMemory(MemoryRow):
    """A memory and how alike it is to the query, 0 to 1."""

    similarity: float


class MemoryList(BaseModel):
    """Approved memories, and how many; `waiting` counts proposals that no person has seen."""

    memories: list[MemoryRow]
    count: int
    waiting: int


class SimilarMemories(BaseModel):
    """Memories, most alike first."""

    memories: list[SimilarMemory]
    count: int


class Deleted(BaseModel):
    """What was taken out; git keeps its history."""

    id: str
    content: str


class FeedbackCounts(BaseModel):
    """How often a memory was said to have helped, and to have harmed."""

    helpful: int
    harmful: int


def register(server: MCPServer, open_kb: Callable[[], KnowledgeBase]) -> None:
    """Add the memory tools to `server`."""
    proposal_tools.register(server, open_kb)

    @server.tool(title="Find memories like a text", annotations=_READS)
    @told
    def retrieve_memories(
        query: Annotated[str, Field(min_length=1, max_length=TEXT_LIMIT)],
        limit: Annotated[int, Field(ge=1, le=100)] = 10,
        min_similarity: Annotated[float, Field(ge=0, le=1)] = 0.0,
        category: Category | None = None,
    ) -> SimilarMemories:
        """Return the approved memories most similar to the query (0 to 1), best first."""
        kb = open_kb()
        found = verbs.retrieve_memories(
            kb, query, limit=limit, min_similarity=min_similarity, category=category
        )
        approved = approvals(kb, [f.memory for f in found])
        rows = [_similar(f, approved[f.memory.id]) for f in found]
        return SimilarMemories(memories=rows, count=len(rows))

    @server.tool(title="List memories", annotations=_READS)
    @told
    def list_memories(
        category: Category | None = None,
        limit: Annotated[int, Field(ge=1, le=200)] = 50,
        offset: Annotated[int, Field(ge=0)] = 0,
    ) -> MemoryList:
        """List approved memories, newest first; proposals that wait are only counted."""
        kb = open_kb()
        found = verbs.list_memories(kb, category=category, limit=limit, offset=offset)
        approved = approvals(kb, found)
        return MemoryList(
            memories=[MemoryRow.model_validate(row_of(m, approved[m.id])) for m in found],
            count=len(found),
            waiting=proposals.waiting_count(kb),
        )

    async def ask_to_delete(context: Context, memory_id: str, reason: str) -> Elicit[Form] | Answer:
        return await ask(context, deleting_question(find(memory_id), reason))

    @told
    def find(memory_id: str) -> Memory:
        return verbs.get_memory(open_kb(), memory_id)

    @server.tool(
        title="Delete a memory",
        annotations=ToolAnnotations(read_only_hint=False, destructive_hint=True,
                                    idempotent_hint=True, open_world_hint=False),
    )  # fmt: skip
    @told
    def delete_memory(
        memory_id: Annotated[str, Field(description="UUID of the memory")],
        answer: Annotated[ElicitationResult[Form], Resolve(ask_to_delete)],
        reason: Annotated[str, Field(max_length=TEXT_LIMIT, description="Kept in git")] = "",
    ) -> Deleted:
        """Delete a memory, if the person agrees in a dialogue of this client; git keeps it."""
        if action_of(answer) != "accept":
            raise CalmError(
                f"memory {memory_id} was not deleted: no person agreed to it here. They can do it "
                f"with: calmkb memory retire {memory_id[:8]}; if it misled you, say so with "
                "record_feedback"
            )
        gone = verbs.delete_memory(open_kb(), memory_id, reason=reason)
        return Deleted(id=gone.id, content=gone.text)

    @server.tool(
        title="Say whether a memory helped",
        annotations=ToolAnnotations(read_only_hint=False, destructive_hint=False,
                                    idempotent_hint=False, open_world_hint=False),
    )  # fmt: skip
    @told
    def record_feedback(
        memory_id: Annotated[str, Field(description="UUID of the memory")],
        verdict: Literal["helpful", "harmful"],
        note: Annotated[str, Field(max_length=TEXT_LIMIT, description="What it did")] = "",
    ) -> FeedbackCounts:
        """Record that a memory helped or misled you in this session."""
        counts = give_feedback(open_kb(), memory_id, verdict, note=note, given_by="agent")
        return FeedbackCounts(helpful=counts.helpful, harmful=counts.harmful)


def _similar(found: verbs.Found, approval: Approval) -> SimilarMemory:
    row = row_of(found.memory, approval)
    return SimilarMemory.model_validate(row | {"similarity": found.similarity})
