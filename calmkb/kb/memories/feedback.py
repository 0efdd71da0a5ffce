"""Feedback on memories by agents and people, one file each: machines never conflict."""

from collections.abc import Sequence

from calmkb.errors import RecordError
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.journal.sessions import read_memories
from calmkb.kb.memories.files import find_successor, surviving_ids
from calmkb.model import HELPED, KEPT, Feedback, FeedbackCounts, Helped, Memory


def record_feedback(
    kb: KnowledgeBase, memory_id: str, verdict: str, *, note: str = "", given_by: str = ""
) -> FeedbackCounts:
    """Commit one verdict on a memory, or on what it was merged into, and return the counts.

    Raises NotFoundError on an unknown memory, RecordError on a verdict that is none.
    """
    memory = find_successor(kb, memory_id)
    redactor = kb.redactor()
    record = Feedback(
        id=kb.environment.new_id(),
        created_at=kb.environment.now(),
        memory=memory.id,
        verdict=_verdict(verdict),
        note=redactor.text(note).strip(),
        given_by=redactor.line(given_by) or kb.reviewer(),
    )
    message = f"feedback({verdict}): {memory.id[:8]}\n\nCalm-Memory: {memory.id}\n"
    kb.save_record(record, message)
    return count_feedback(kb).get(memory.id, FeedbackCounts())


def count_feedback(kb: KnowledgeBase) -> dict[str, FeedbackCounts]:
    """Return the counts by memory id."""
    given = feedback_given(kb, read_memories(kb))
    return {memory: counted(records) for memory, records in given.items()}


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


def _verdict(value: str) -> Helped:
    for known in (*HELPED, KEPT):
        if value == known:
            return known
    raise RecordError(f"verdict {value!r} is unknown; choose from: {', '.join(HELPED)}")
