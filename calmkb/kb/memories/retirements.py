"""Memories that may be stale, for `memory report` and the site."""

from collections.abc import Iterable, Mapping, Sequence

from calmkb.kb.base import points
from calmkb.kb.base.cache_paths import derived_cache
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.journal.sessions import Contents
from calmkb.kb.search.friction import SessionTexts
from calmkb.model import Feedback, Memory
from calmkb.model.memories.backtest import Backtest
from calmkb.reflect.memo import memoized
from calmkb.reflect.memories.recurrence import mentions
from calmkb.reflect.memories.stale import MemoryHistory, Retirement, propose_retirement
from calmkb.reflect.proposals.verdicts import CONFLICT_SHARE
from calmkb.reflect.similarity.methods import Method


def retirements(
    kb: KnowledgeBase,
    contents: Contents,
    texts: SessionTexts,
    given: Mapping[str, Sequence[Feedback]],
    tests: Iterable[Backtest],
) -> tuple[Retirement, ...]:
    """Return the memories to look at again, those with the most against them first.

    The feedback that was `given` on them, and their backtests, count.
    """
    memories, method = contents.memories, texts.method
    level = method.duplicate * CONFLICT_SHARE  # as near as what may speak against a memory
    with derived_cache(kb) as kept:
        mentioned = mentions(memories, texts.statements, method, level=level, kept=kept)
    known = MemoryHistory(
        feedback=given,
        mentioned=mentioned,
        similar=_similar_memories(kb, memories, method),
        missing={
            key: [one.name for one in faults if one.gone]
            for key, faults in points.memory_faults(kb, memories).items()
        },
        tests={test.id: test for test in tests},
        spoken={view.entry.id: view.entry.created_at for view in contents.sessions},
    )
    return propose_retirement(
        memories,
        known,
        now=kb.environment.now(),
        half_life_days=kb.config.reflect.half_life_days,
        duplicate=method.duplicate,
    )


def _similar_memories(
    kb: KnowledgeBase, memories: Sequence[Memory], method: Method
) -> dict[str, list[tuple[str, float]]]:
    """Return by memory id the ids of memories that may say the same or the opposite, with how much.

    Down to the share of the duplicate threshold at which a conflict is looked for.
    """
    found: dict[str, list[tuple[str, float]]] = {memory.id: [] for memory in memories}
    if len(memories) < 2:
        return found
    texts, level = [memory.text for memory in memories], method.duplicate * CONFLICT_SHARE

    def make() -> list[tuple[int, int, float]]:
        return [pair for pair in method.near(texts, None, level) if pair[0] != pair[1]]

    with derived_cache(kb) as kept:
        pairs = memoized(kept, "similar", (method.key, level, texts), make)
    for one, other, share in pairs:
        found[memories[one].id].append((memories[other].id, share))
    return found
