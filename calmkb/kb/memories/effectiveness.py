"""Whether memories helped: their themes in sessions before their approval and since."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from calmkb.kb.base.cache_paths import derived_cache
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.journal.sessions import Contents
from calmkb.kb.memories import feedback
from calmkb.kb.search.friction import SessionTexts, session_texts, troubles_of
from calmkb.kb.search.methods import method_of
from calmkb.model import CATEGORIES, Helping, Memory, MemoryHealth, SessionView
from calmkb.reflect.memo import memoized
from calmkb.reflect.memories import pooled
from calmkb.reflect.memories.effectiveness import helped as judge
from calmkb.reflect.memories.effectiveness import in_scope
from calmkb.reflect.memories.recurrence import Mention, mentions
from calmkb.reflect.memories.rewording import reworded_at_most, unless_reworded
from calmkb.reflect.proposals.verdicts import CONFLICT_SHARE
from calmkb.reflect.similarity.near import similar_pairs

Mentions = Mapping[str, Sequence[Mention]]


@dataclass(frozen=True, slots=True)
class Effects:
    """Whether each memory helped, by its id, and whether several did together.

    `together` has "all" and categories; those of too few memories are left out.
    """

    each: Mapping[str, Helping]
    together: Mapping[str, Helping]


def effects(kb: KnowledgeBase, contents: Contents, texts: SessionTexts) -> Effects:
    """Return whether the memories of `kb` helped; `texts` are those of its sessions."""
    memories, sessions = contents.memories, contents.sessions
    met = troubles_of(kb, memories, texts)
    times = {view.entry.id: view.entry.created_at for view in sessions}

    @cache
    def reworded() -> Mapping[str, int]:
        return reworded_at_most(memories, texts.statements, times, met, texts.method)

    counted = pooled.counted(memories, sessions, met)
    groups = {"all": counted} | {
        category: [one for one in counted if one.memory.category == category]
        for category in CATEGORIES
    }
    found = {name: pooled.together(those, reworded) for name, those in groups.items()}
    return Effects(
        _judged(memories, memories, sessions, met, texts),
        {name: one for name, one in found.items() if one},
    )


def effect_of(kb: KnowledgeBase, memory: Memory, contents: Contents) -> Helping:
    """Return whether `memory` helped; only the sessions of its scope are looked at."""
    met = [view for view in contents.sessions if in_scope(memory, view)]
    texts = session_texts(kb, met)
    mentioned = troubles_of(kb, [memory], texts)
    return _judged([memory], contents.memories, met, mentioned, texts)[memory.id]


def _judged(
    asked: Sequence[Memory],
    memories: Sequence[Memory],
    sessions: Sequence[SessionView],
    mentioned: Mentions,
    texts: SessionTexts,
) -> dict[str, Helping]:
    """Return the verdicts on those asked for; `memories` are all that may answer a trouble."""
    times = {view.entry.id: view.entry.created_at for view in sessions}
    found = judge(asked, sessions, mentioned)
    return unless_reworded(found, memories, texts.statements, times, mentioned, texts.method)


def mentions_of(
    kb: KnowledgeBase,
    memories: Sequence[Memory],
    sessions: Sequence[SessionView],
    texts: SessionTexts | None = None,
) -> Mentions:
    """Return by memory id the statements of sessions that are similar to it, as themes are."""
    texts = texts or session_texts(kb, sessions)
    level, method = texts.method.theme, texts.method
    with derived_cache(kb) as kept:
        return mentions(memories, texts.statements, level=level, method=method, kept=kept)


def similar_memories(
    kb: KnowledgeBase, memories: Sequence[Memory]
) -> dict[str, list[tuple[str, float]]]:
    """Return by memory id the ids of memories that may say the same or the opposite, with how much.

    Down to the share of the duplicate threshold at which a conflict is looked for.
    """
    method = method_of(kb)
    found: dict[str, list[tuple[str, float]]] = {memory.id: [] for memory in memories}
    if len(memories) < 2:
        return found
    texts, level = [memory.text for memory in memories], method.duplicate * CONFLICT_SHARE

    def make() -> list[tuple[int, int, float]]:
        vectors = method.vectors(texts)
        return [pair for pair in similar_pairs(vectors, vectors, level) if pair[0] != pair[1]]

    with derived_cache(kb) as kept:
        pairs = memoized(kept, "similar", (method.key, level, texts), make)
    for one, other, share in pairs:
        found[memories[one].id].append((memories[other].id, share))
    return found


def memory_health(
    kb: KnowledgeBase, contents: Contents, met: Mentions, texts: SessionTexts
) -> dict[str, MemoryHealth]:
    """Return by memory id its feedback and whether it helped; `met` is what met its trouble."""
    given = feedback.feedback_given(kb, contents.memories)
    judged = _judged(contents.memories, contents.memories, contents.sessions, met, texts)
    found = {}
    for memory in contents.memories:
        counts = feedback.counted(given.get(memory.id, ()))
        found[memory.id] = MemoryHealth(counts.helpful, counts.harmful, judged[memory.id])
    return found
