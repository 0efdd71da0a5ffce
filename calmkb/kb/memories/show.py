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
class Fared:
    """A memory, what it stands at today, what was said of it, and who approved it."""

    memory: Memory
    standing: Standing
    counts: Counts
    approval: Approval


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """A memory from all sides; `used` is when it was last said to have helped."""

    fared: Fared
    path: str
    superseded_by: tuple[str, ...]
    used: datetime | None
    helping: Helping


def list_fared(
    kb: KnowledgeBase, *, category: str | None = None, limit: int = 50, offset: int = 0
) -> tuple[Fared, ...]:
    """Return memories, newest first, with how they fare."""
    memories = read_memories(kb)
    given = feedback_given(kb, memories)
    chosen = [m for m in memories if category in (None, m.category)][offset : offset + limit]
    approved = approvals(kb, chosen)
    return tuple(fared(kb, m, given.get(m.id, ()), approved[m.id]) for m in chosen)


def look_at(kb: KnowledgeBase, prefix: str) -> Look:
    """Return the memory whose id begins so; NotFoundError where none or many do."""
    from calmkb.kb.memories.effectiveness import helped_one

    filed = locate(kb, prefix)
    contents = read_contents(kb)
    memory = filed.memory
    said = feedback_given(kb, contents.memories).get(memory.id, ())
    return Look(
        fared=fared(kb, memory, said, approval_of(kb, memory)),
        path=filed.path,
        superseded_by=tuple(m.id for m in contents.memories if m.supersedes == memory.id),
        used=max((f.created_at for f in said if f.verdict == "helpful"), default=None),
        helping=helped_one(kb, memory, contents.sessions),
    )


def fared(kb: KnowledgeBase, memory: Memory, said: Sequence[Feedback], approval: Approval) -> Fared:
    """Return how a memory fares by what was `said` of it."""
    return Fared(memory, standing_of(kb, memory, said), counted(said), approval)


def standing_of(kb: KnowledgeBase, memory: Memory, said: Sequence[Feedback]) -> Standing:
    """Return what a memory stands at today."""
    days = kb.config.reflect.half_life_days
    return standing(memory, said, now=kb.environment.now(), half_life_days=days)
