"""Whether memories helped: their themes in sessions before their approval and since."""

from collections.abc import Mapping, Sequence

from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.journal.sessions import Contents
from calmkb.kb.memories.feedback import counted, feedback_given
from calmkb.kb.search.friction import SessionTexts, session_texts
from calmkb.kb.search.methods import method_of
from calmkb.model import CATEGORIES, Helping, Memory, MemoryHealth, SessionView
from calmkb.reflect.memories import pooled
from calmkb.reflect.memories.effectiveness import helped as judge
from calmkb.reflect.memories.effectiveness import in_scope
from calmkb.reflect.memories.recurrence import Mention, mentions, troubles_met
from calmkb.reflect.memories.rewording import reworded_at_most, unless_reworded
from calmkb.reflect.proposals.verdicts import CONFLICT_SHARE
from calmkb.reflect.similarity.pairs import similar_pairs

Mentions = Mapping[str, Sequence[Mention]]


def helped(
    kb: KnowledgeBase, contents: Contents, texts: SessionTexts | None = None
) -> dict[str, Helping]:
    """Return by memory id whether each memory of `kb` helped; `texts` are those of its sessions."""
    texts = texts or session_texts(kb, contents.sessions)
    met = troubles_met(contents.memories, texts.statements)
    return _judged(contents.memories, contents.memories, contents.sessions, met, texts)


def effect_of(kb: KnowledgeBase, memory: Memory, contents: Contents) -> Helping:
    """Return whether `memory` helped; only the sessions of its scope are looked at."""
    met = [view for view in contents.sessions if in_scope(memory, view)]
    texts = session_texts(kb, met)
    told = troubles_met([memory], texts.statements)
    return _judged([memory], contents.memories, met, told, texts)[memory.id]


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


def helped_together(
    kb: KnowledgeBase, contents: Contents, texts: SessionTexts | None = None
) -> dict[str, Helping]:
    """Return whether the memories helped together: all of them, and by category where many do.

    The keys are "all" and categories; those of too few memories are left out.
    """
    texts = texts or session_texts(kb, contents.sessions)
    memories, sessions = contents.memories, contents.sessions
    met = troubles_met(memories, texts.statements)
    times = {view.entry.id: view.entry.created_at for view in sessions}
    unknown = reworded_at_most(memories, texts.statements, times, met, texts.method)
    each = pooled.counted(memories, sessions, met, unknown)
    groups = {"all": each}
    for category in CATEGORIES:
        groups[category] = [one for one in each if one.memory.category == category]
    found = {name: pooled.together(those) for name, those in groups.items()}
    return {name: one for name, one in found.items() if one}


def mentions_of(
    kb: KnowledgeBase,
    memories: Sequence[Memory],
    sessions: Sequence[SessionView],
    texts: SessionTexts | None = None,
) -> Mentions:
    """Return by memory id the statements of sessions that are similar to it, as themes are."""
    texts = texts or session_texts(kb, sessions)
    return mentions(memories, texts.statements, level=texts.method.theme, method=texts.method)


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
    vectors = method.vectors([memory.text for memory in memories])
    for one, other, share in similar_pairs(vectors, vectors, method.duplicate * CONFLICT_SHARE):
        if one != other:
            found[memories[one].id].append((memories[other].id, share))
    return found


def memory_health(
    kb: KnowledgeBase, contents: Contents, met: Mentions, texts: SessionTexts
) -> dict[str, MemoryHealth]:
    """Return by memory id its feedback and whether it helped; `met` is what met its trouble."""
    given = feedback_given(kb, contents.memories)
    judged = _judged(contents.memories, contents.memories, contents.sessions, met, texts)
    found = {}
    for memory in contents.memories:
        counts = counted(given.get(memory.id, ()))
        found[memory.id] = MemoryHealth(counts.helpful, counts.harmful, judged[memory.id])
    return found
