"""`memory review`: memories that may be stale, presented for review."""

from calmkb.kb.base import points
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.journal.sessions import Contents, read_contents
from calmkb.kb.memories.effectiveness import Mentions, mentions_of, similar_memories
from calmkb.kb.memories.feedback import feedback_given, record_feedback
from calmkb.kb.search.methods import method_of
from calmkb.model import KEPT, Memory
from calmkb.reflect.memories.stale import MemoryHistory, Retirement, propose_retirement

__all__ = ["Retirement", "keep_memory", "review"]


def review(kb: KnowledgeBase) -> tuple[Retirement, ...]:
    """Return the memories to look at again, those with the most against them first.

    Nothing is changed.
    """
    contents = read_contents(kb)
    return retirements(kb, contents, mentions_of(kb, contents.memories, contents.sessions))


def retirements(
    kb: KnowledgeBase, contents: Contents, mentioned: Mentions
) -> tuple[Retirement, ...]:
    """Return the same of contents at hand and of the statements that mention their memories."""
    memories = contents.memories
    known = MemoryHistory(
        feedback=feedback_given(kb, memories),
        mentioned=mentioned,
        similar=similar_memories(kb, memories),
        missing={
            key: [one.name for one in faults if one.gone]
            for key, faults in points.memory_faults(kb, memories).items()
        },
        spoken={view.entry.id: view.entry.created_at for view in contents.sessions},
    )
    return propose_retirement(
        memories,
        known,
        now=kb.environment.now(),
        half_life_days=kb.config.reflect.half_life_days,
        duplicate=method_of(kb).duplicate,
    )


def keep_memory(kb: KnowledgeBase, memory: Memory, *, note: str = "") -> None:
    """Record that a person kept a memory: it is not presented again for a while.

    The record counts neither as helpful nor as harmful.
    """
    record_feedback(kb, memory.id, KEPT, note=note)
