"""Proposals of agents: stored once a person agrees, compared with known memories."""

from typing import Annotated, Literal

from mcp.server.elicitation import ElicitationResult
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.resolve import Elicit, Resolve
from pydantic import BaseModel, Field

from calmkb.kb.base.tool import ADDS_ONCE, READS, Tool, kb_of
from calmkb.kb.instructions.files import HandwrittenMatch
from calmkb.kb.memories import agent_proposals
from calmkb.kb.memories.agent_proposals import ComparedProposal, ProposalRequest
from calmkb.kb.memories.memories import Candidate, Judged
from calmkb.kb.memories.memories import dedupe_proposals as compare
from calmkb.model import Approval, Category, Memory, Verdict
from calmkb.wings.mcp.tools import for_client
from calmkb.wings.mcp.toolset.dialogue import NOTES, Answer, Form, action_of, ask, keeping_question
from calmkb.wings.mcp.toolset.memory_rows import TEXT_LIMIT, Content, Importance, MemoryRow, row_of


class ProposalIn(BaseModel):
    """A memory that you propose."""

    content: Content
    category: Category
    importance: Importance = 0.5
    reasoning: Annotated[str, Field(max_length=TEXT_LIMIT)] = ""
    session: Annotated[str, Field(max_length=40)] = ""
    quote: Annotated[
        str, Field(max_length=TEXT_LIMIT, description="Words of that session that show it")
    ] = ""


class Resemblance(BaseModel):
    """How a proposal compares with a known memory."""

    verdict: Literal["new", "duplicate", "conflict"]
    id: str = ""
    content: str = ""
    similarity: float = 0.0


class StoredMemory(MemoryRow):
    """A memory and its status: approved, proposed, known already, or rejected."""

    status: Literal["approved", "proposed", "known", "rejected"] = Field(
        description="approved: a person approved it. proposed: it waits for a person, and no agent "
        "is shown it before. known: the memory in `resembles` says the same. rejected: a person "
        "rejected it"
    )
    verdict: Literal["new", "duplicate", "conflict"]
    resembles: Resemblance | None = Field(description="The most similar memory or proposal")
    note: str = Field(description="What to do next")


class MergedProposal(BaseModel):
    """Similar proposals merged into one, and compared with known memories."""

    content: str
    category: str
    importance: float
    reasoning: str
    merged_from: list[int] = Field(description="Positions in your list, from 0")
    similarity: float = Field(
        description="The lowest similarity between the kept text and the merged ones"
    )
    memory: Resemblance
    dismissed: Resemblance = Field(description="What was rejected before")
    instructions: Resemblance = Field(
        description="What the project's instruction files say by hand; `id` is the file and line"
    )
    held: str = Field(description="Why not to propose it, if so")


class MergedProposals(BaseModel):
    """The proposals that are left after merging."""

    proposals: list[MergedProposal]


@for_client
def offer(
    context: Context, content: str, category: str, importance: float, tags: list[str] | None,
    scope: str, sources: list[str] | None,
) -> ComparedProposal:  # fmt: skip
    """Compare a proposal with what is known, and keep it waiting for a person."""
    wanted = ProposalRequest(
        content=content,
        category=category,
        importance=importance,
        tags=tuple(tags or ()),
        scope=scope,
        sources=tuple(sources or ()),
    )
    return agent_proposals.propose_memory(kb_of(context), wanted)


async def ask_to_keep(
    context: Context, offered: Annotated[ComparedProposal, Resolve(offer)]
) -> Elicit[Form] | Answer:
    """Ask the person whether a proposal becomes a memory."""
    if offered.status != "proposed":
        return Answer(action="nobody")
    return await ask(context, keeping_question(offered))


def store_memory(
    context: Context,
    content: Content,
    category: Category,
    offered: Annotated[ComparedProposal, Resolve(offer)],
    answer: Annotated[ElicitationResult[Form], Resolve(ask_to_keep)],
    importance: Importance = 0.5,
    tags: Annotated[list[Annotated[str, Field(max_length=100)]] | None,
                    Field(max_length=20)] = None,
    scope: Annotated[str, Field(
        max_length=200, description="A project, or global")] = "",
    sources: Annotated[list[Annotated[str, Field(max_length=40)]] | None, Field(
        max_length=agent_proposals.SOURCES,
        description="Ids of session entries")] = None,
) -> StoredMemory:  # fmt: skip
    """Propose a memory that the team is to share, such as a decision; a person approves it."""
    kb = kb_of(context)
    if offered.status != "proposed":
        return _stored(offered.memory, offered, offered.status)
    match action_of(answer):
        case "accept":
            kept = agent_proposals.approve(kb, offered, approved_by=kb.reviewer())
            return _stored(kept, offered, "approved")
        case "decline":
            agent_proposals.reject(kb, offered, reviewed_by=kb.reviewer())
            return _stored(offered.memory, offered, "rejected")
    return _stored(offered.memory, offered, "proposed")


def dedupe_proposals(
    context: Context, proposals: Annotated[list[ProposalIn], Field(min_length=1, max_length=200)]
) -> MergedProposals:
    """Merge proposed team memories that say the same; compare them with known and rejected ones."""
    candidates = [Candidate(**proposal.model_dump()) for proposal in proposals]
    judged = compare(kb_of(context), candidates)
    return MergedProposals(proposals=[_merged(item) for item in judged])


def _stored(memory: Memory, offered: ComparedProposal, status: str) -> StoredMemory:
    verdict = offered.verdict
    near = _resemblance(verdict) if verdict.other else None
    more = {"status": status, "verdict": verdict.kind, "resembles": near}
    return StoredMemory.model_validate(
        row_of(memory, Approval(memory.approved_by))
        | more
        | {"note": (offered.note if status == offered.status else "") or NOTES[status]}
    )


def _merged(item: Judged) -> MergedProposal:
    kept = item.merged.kept
    return MergedProposal(
        content=kept.content,
        category=kept.category,
        importance=kept.importance,
        reasoning=kept.reasoning,
        merged_from=list(item.merged.positions),
        similarity=item.merged.similarity,
        memory=_resemblance(item.verdict),
        dismissed=_resemblance(item.rejected),
        instructions=_written(item.written),
        held=item.held,
    )


def _written(found: HandwrittenMatch | None) -> Resemblance:
    if found is None or not found.near:
        return Resemblance(verdict="new")
    kind: Literal["conflict", "duplicate"] = "conflict" if found.opposite else "duplicate"
    return Resemblance(verdict=kind, id=found.where, content=found.words)


def _resemblance(verdict: Verdict) -> Resemblance:
    return Resemblance(
        verdict=verdict.kind, id=verdict.other, content=verdict.text, similarity=verdict.similarity
    )


TOOLS = (Tool(store_memory, ADDS_ONCE), Tool(dedupe_proposals, READS))
