"""Feedback on memories by agents and people, one file each: machines never conflict."""

from collections.abc import Sequence

from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.model import Feedback, FeedbackCounts, Memory


def counted(records: Sequence[Feedback]) -> FeedbackCounts:
    """Return how many of these are helpful and harmful."""
    verdicts = [record.verdict for record in records]
    return FeedbackCounts(verdicts.count("helpful"), verdicts.count("harmful"))


def feedback_given(
    kb: KnowledgeBase, memories: Sequence[Memory]
) -> dict[str, tuple[Feedback, ...]]:
    """Return the feedback on each memory, oldest first, by memory id.

    Feedback on a merged memory counts for the one it was merged into; on a retired one it stays.
    """
    if not (kb.journal / "feedback").is_dir():
        return {}
    from calmkb.store.journal import read_journal  # with YAML, which a list does not need

    stored, _ = read_journal(kb.journal, below="feedback")
    records = [item.record for item in stored if isinstance(item.record, Feedback)]
    known = surviving_ids(memories)
    found: dict[str, list[Feedback]] = {}
    for record in sorted(records, key=lambda record: (record.created_at, record.id)):
        found.setdefault(known.get(record.memory, record.memory), []).append(record)
    return {memory: tuple(found[memory]) for memory in sorted(found)}


def surviving_ids(memories: Sequence[Memory]) -> dict[str, str]:
    """Return for each id, also of merged memories, the id of the memory that holds it now."""
    into = {old: memory.id for memory in reversed(memories) for old in memory.merged}
    return into | {memory.id: memory.id for memory in memories}
