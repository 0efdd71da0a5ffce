"""Did a memory help? Said by agents and people, one file each: several machines never conflict."""

from collections import Counter
from dataclasses import dataclass

from calmkb.documents import record_path, render
from calmkb.errors import NotFoundError, RecordError
from calmkb.kb.base import KnowledgeBase
from calmkb.kb.sessions import read_contents
from calmkb.model import HELPED, Feedback, Helped, Memory
from calmkb.store.journal import read_journal


@dataclass(frozen=True, slots=True)
class Counts:
    """How often a memory was said to have helped, and to have harmed."""

    helpful: int
    harmful: int


def record_feedback(
    kb: KnowledgeBase, memory_id: str, verdict: str, *, note: str = "", given_by: str = ""
) -> Counts:
    """Commit one verdict on a memory and return the counts.

    Raises NotFoundError on an unknown memory, RecordError on a verdict that is none.
    """
    memory = find_memory(kb, memory_id)
    redactor = kb.redactor()
    record = Feedback(
        id=kb.world.new_id(),
        created_at=kb.world.now(),
        memory=memory.id,
        verdict=_verdict(verdict),
        note=redactor.text(note).strip(),
        given_by=redactor.line(given_by) or kb.reviewer(),
    )
    message = f"feedback({verdict}): {memory.id[:8]}\n\nCalm-Memory: {memory.id}\n"
    kb.save({record_path(record): render(record).encode()}, message, record.created_at)
    return count_feedback(kb).get(memory.id, Counts(0, 0))


def count_feedback(kb: KnowledgeBase) -> dict[str, Counts]:
    """Return the counts by memory id."""
    stored, _ = read_journal(kb.journal, below="feedback")
    records = [item.record for item in stored if isinstance(item.record, Feedback)]
    found = Counter((record.memory, record.verdict) for record in records)
    memories = {record.memory for record in records}
    return {m: Counts(found[m, "helpful"], found[m, "harmful"]) for m in sorted(memories)}


def find_memory(kb: KnowledgeBase, prefix: str) -> Memory:
    """Return the memory whose id begins with `prefix`; NotFoundError where none or many do."""
    wanted = prefix.strip().lower()
    found = [m for m in read_contents(kb).memories if wanted and m.id.startswith(wanted)]
    if not found:
        raise NotFoundError(f"memory {prefix!r} not found; list the memories there are")
    if len(found) > 1:
        raise NotFoundError(f"memory {prefix!r} is not unique; give more of the id")
    return found[0]


def _verdict(value: str) -> Helped:
    for known in HELPED:
        if value == known:
            return known
    raise RecordError(f"verdict {value!r} is unknown; choose from: {', '.join(HELPED)}")
