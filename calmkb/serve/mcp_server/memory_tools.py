"""Memories over MCP: kept after approval, found, listed, taken out, compared with proposals."""

from collections.abc import Callable
from typing import Annotated, Literal

from mcp.server import MCPServer
from mcp.types import ToolAnnotations
from pydantic import BaseModel, Field

from calmkb.kb import memories as verbs
from calmkb.kb.base import KnowledgeBase
from calmkb.kb.feedback import record_feedback as give_feedback
from calmkb.model import Memory, Verdict
from calmkb.reflect.duplicates import Candidate
from calmkb.serve.mcp_server.errors import told

Category = Literal["error", "decision", "fact", "workflow", "preference"]
_LIMIT = 10_000
Content = Annotated[str, Field(min_length=1, max_length=_LIMIT)]
Importance = Annotated[float, Field(ge=0, le=1)]
_READS = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)


class MemoryRow(BaseModel):
    """One memory."""

    id: str
    content: str
    category: str
    importance: float
    confidence: str
    scope: str
    tags: list[str]
    created_at: str
    approved_by: str


class SimilarMemory(MemoryRow):
    """A memory and how alike it is to the query, 0 to 1."""

    similarity: float


class MemoryList(BaseModel):
    """Memories, and how many."""

    memories: list[MemoryRow]
    count: int


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


class ProposalIn(BaseModel):
    """A memory that you propose."""

    content: Content
    category: Category
    importance: Importance = 0.5
    reasoning: Annotated[str, Field(max_length=_LIMIT)] = ""


class Resemblance(BaseModel):
    """How a proposal stands to something known."""

    verdict: Literal["new", "duplicate", "conflict"]
    id: str = ""
    content: str = ""
    similarity: float = 0.0


class MergedProposal(BaseModel):
    """One proposal of several alike, held against what is known."""

    content: str
    category: str
    importance: float
    reasoning: str
    merged_from: list[int] = Field(description="Positions in your list, from 0")
    similarity: float = Field(description="The least between the words kept and those merged in")
    memory: Resemblance
    dismissed: Resemblance = Field(description="What was turned down before")


class MergedProposals(BaseModel):
    """The proposals that are left after merging."""

    proposals: list[MergedProposal]


def register(server: MCPServer, open_kb: Callable[[], KnowledgeBase]) -> None:
    """Add the memory tools to `server`."""

    @server.tool(
        title="Store a memory",
        annotations=ToolAnnotations(read_only_hint=False, destructive_hint=False,
                                    idempotent_hint=False, open_world_hint=False),
    )  # fmt: skip
    @told
    def store_memory(
        content: Annotated[Content, Field(description="One stable insight, no line numbers")],
        category: Category,
        importance: Importance = 0.5,
        tags: Annotated[list[Annotated[str, Field(max_length=100)]] | None,
                        Field(max_length=20)] = None,
    ) -> MemoryRow:  # fmt: skip
        """Commit a memory. Only after the person has approved these very words."""
        kept = verbs.store_memory(
            open_kb(), content, category, importance=importance, tags=tags or ()
        )
        return MemoryRow.model_validate(_row(kept))

    @server.tool(title="Find memories like a text", annotations=_READS)
    @told
    def retrieve_memories(
        query: Annotated[str, Field(min_length=1, max_length=_LIMIT)],
        limit: Annotated[int, Field(ge=1, le=100)] = 10,
        min_similarity: Annotated[float, Field(ge=0, le=1)] = 0.0,
        category: Category | None = None,
    ) -> SimilarMemories:
        """Return the memories most like the query, with a similarity from 0 to 1, best first."""
        found = verbs.retrieve_memories(
            open_kb(), query, limit=limit, min_similarity=min_similarity, category=category
        )
        rows = [_similar(f) for f in found]
        return SimilarMemories(memories=rows, count=len(rows))

    @server.tool(title="List memories", annotations=_READS)
    @told
    def list_memories(
        category: Category | None = None,
        limit: Annotated[int, Field(ge=1, le=200)] = 50,
        offset: Annotated[int, Field(ge=0)] = 0,
    ) -> MemoryList:
        """List approved memories, newest first."""
        found = verbs.list_memories(open_kb(), category=category, limit=limit, offset=offset)
        return MemoryList(
            memories=[MemoryRow.model_validate(_row(m)) for m in found], count=len(found)
        )

    @server.tool(
        title="Delete a memory",
        annotations=ToolAnnotations(read_only_hint=False, destructive_hint=True,
                                    idempotent_hint=True, open_world_hint=False),
    )  # fmt: skip
    @told
    def delete_memory(
        memory_id: Annotated[str, Field(description="UUID of the memory")],
        reason: Annotated[str, Field(max_length=_LIMIT, description="Kept in git")] = "",
    ) -> Deleted:
        """Take a memory out of the knowledge base. Ask the person first; git keeps its history."""
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
        note: Annotated[str, Field(max_length=_LIMIT, description="What it did")] = "",
    ) -> FeedbackCounts:
        """Record that a memory helped or misled you in this session."""
        counts = give_feedback(open_kb(), memory_id, verdict, note=note, given_by="agent")
        return FeedbackCounts(helpful=counts.helpful, harmful=counts.harmful)

    @server.tool(title="Merge proposals and compare them with what is known", annotations=_READS)
    @told
    def dedupe_proposals(
        proposals: Annotated[list[ProposalIn], Field(min_length=1, max_length=200)],
    ) -> MergedProposals:
        """Merge proposals that say the same; judge each against memories and earlier refusals."""
        candidates = [Candidate(**proposal.model_dump()) for proposal in proposals]
        judged = verbs.dedupe_proposals(open_kb(), candidates)
        return MergedProposals(proposals=[_merged(item) for item in judged])


def _merged(item: verbs.Judged) -> MergedProposal:
    kept = item.merged.kept
    return MergedProposal(
        content=kept.content,
        category=kept.category,
        importance=kept.importance,
        reasoning=kept.reasoning,
        merged_from=list(item.merged.positions),
        similarity=item.merged.similarity,
        memory=_resemblance(item.verdict),
        dismissed=_resemblance(item.turned_down),
    )


def _resemblance(verdict: Verdict) -> Resemblance:
    return Resemblance(
        verdict=verdict.kind, id=verdict.other, content=verdict.text, similarity=verdict.similarity
    )


def _similar(found: verbs.Found) -> SimilarMemory:
    return SimilarMemory.model_validate(_row(found.memory) | {"similarity": found.similarity})


def _row(memory: Memory) -> dict[str, object]:
    return {
        "id": memory.id,
        "content": memory.text,
        "category": memory.category,
        "importance": memory.importance,
        "confidence": memory.confidence,
        "scope": memory.scope,
        "tags": list(memory.tags),
        "created_at": memory.created_at.isoformat(),
        "approved_by": memory.approved_by,
    }
