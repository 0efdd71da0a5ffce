"""`memory show` and `memory list`: memories with how they fare today."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.journal.sessions import read_contents, read_memories
from calmkb.kb.memories.approval import approval_of, approvals
from calmkb.kb.memories.feedback import Counts, counted, feedback_given
from calmkb.kb.memories.files import locate
from calmkb.model import Approval, Feedback, Helping, Memory, Standing
from calmkb.reflect.memories.confidence import standing


@dataclass(frozen=True, slots=True)
class MemoryStatus:
    """A memory, what it stands at today, what was said of it, and who approved it."""

    memory: Memory
    standing: Standing
    counts: Counts
    approval: Approval


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryDetails:
    """A memory from all sides; `used` is when it was last said to have helped."""

    status: MemoryStatus
    path: str
    superseded_by: tuple[str, ...]
    used: datetime | None
    helping: Helping


def list_statuses(
    kb: KnowledgeBase, *, category: str | None = None, limit: int = 50, offset: int = 0
) -> tuple[MemoryStatus, ...]:
    """Return memories, newest first, with how they fare."""
    memories = read_memories(kb)
    given = feedback_given(kb, memories)
    chosen = [m for m in memories if category in (None, m.category)][offset : offset + limit]
    approved = approvals(kb, chosen)
    return tuple(status(kb, m, given.get(m.id, ()), approved[m.id]) for m in chosen)


def memory_details(kb: KnowledgeBase, prefix: str) -> MemoryDetails:
    """Return the memory whose id begins so; NotFoundError where none or many do."""
    from calmkb.kb.memories.effectiveness import effect_of

    filed = locate(kb, prefix)
    contents = read_contents(kb)
    memory = filed.record
    said = feedback_given(kb, contents.memories).get(memory.id, ())
    return MemoryDetails(
        status=status(kb, memory, said, approval_of(kb, memory)),
        path=filed.path,
        superseded_by=tuple(m.id for m in contents.memories if m.supersedes == memory.id),
        used=max((f.created_at for f in said if f.verdict == "helpful"), default=None),
        helping=effect_of(kb, memory, contents.sessions),
    )


def status(
    kb: KnowledgeBase, memory: Memory, said: Sequence[Feedback], approval: Approval
) -> MemoryStatus:
    """Return how a memory fares by what was `said` of it."""
    return MemoryStatus(memory, current_confidence(kb, memory, said), counted(said), approval)


def current_confidence(kb: KnowledgeBase, memory: Memory, said: Sequence[Feedback]) -> Standing:
    """Return what a memory stands at today."""
    days = kb.config.reflect.half_life_days
    return standing(memory, said, now=kb.environment.now(), half_life_days=days)
