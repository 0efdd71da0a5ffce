"""Entries that an agent has reflected on by itself, recorded as one reflection."""

from collections.abc import Sequence

from calmkb.errors import RecordError
from calmkb.kb.base import points
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.journal.listing import SessionFilter, list_sessions
from calmkb.kb.reflect.commit_words import commit_message
from calmkb.model import Reflection, check_uuid
from calmkb.store.local.session_logs import delete_logs


def mark_reflected(
    kb: KnowledgeBase, entry_ids: Sequence[str], *, memories_created: int = 0,
    delete_logs_too: bool = True,
) -> tuple[int, int]:  # fmt: skip
    """Record that an agent's reflection covered these entries; it names no reviewer.

    Return how many were newly covered, known ones alone, and how many raw logs went.

    Raises RecordError on an id that is not a UUID, a negative count, or no id at all.
    """
    if not entry_ids:
        raise RecordError("entry_ids is empty; give at least one id")
    for entry_id in entry_ids:
        check_uuid(entry_id, "entry id")
    if memories_created < 0:
        raise RecordError(f"memories_created is {memories_created}; it cannot be below 0")
    kb.catch_up()
    listed, _ = list_sessions(kb, SessionFilter(unreflected=True))
    waiting = {view.entry.id for view in listed}
    covered = tuple(dict.fromkeys(entry_id for entry_id in entry_ids if entry_id in waiting))
    if not covered:
        return 0, 0
    record = Reflection(
        id=kb.environment.new_id(),
        created_at=kb.environment.now(),
        entries=covered,
        memories_created=memories_created,
    )
    message = commit_message(record, memories_created)
    kb.save_record(record, message)
    deleted = delete_logs(kb.environment.state, covered) if delete_logs_too else 0
    points.sessions_done(kb, covered)
    return len(covered), deleted
