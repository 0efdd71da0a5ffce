"""Sessions left to be continued: which wait, and the hand-over to who takes one up."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from calmkb.errors import CalmError
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.store.index.project_names import project_names
from calmkb.store.index.queries import left_to_be_continued, resumed_sessions
from calmkb.store.local.notices import CONTINUATIONS, note

if TYPE_CHECKING:
    from calmkb.model import Continuation, Entry
    from calmkb.store.index.index import Index


@dataclass(frozen=True, slots=True)
class Resumed:
    """The session taken up, and a warning or nothing."""

    entry: "Entry"
    warning: str


def pending_sessions(
    kb: KnowledgeBase, *, project: str | None = None
) -> "tuple[Continuation, ...]":
    """Return the sessions that were left to be continued and not taken up, newest first."""
    if not kb.journal.is_dir():
        return ()

    def ask(index: "Index") -> "tuple[Continuation, ...]":
        rows = None if project is None else project_names(index).rows_of(project)
        return left_to_be_continued(index, project=rows)

    return kb.with_index(ask)


def resume_session(kb: KnowledgeBase, prefix: str) -> Resumed:
    """Record that a session is taken up, and return it.

    Raises NotFoundError on an unknown id, CalmError where there is nothing to take up.
    """
    from calmkb.kb.journal.sessions import get_session
    from calmkb.model import Resumption

    kb.catch_up()
    entry = get_session(kb, prefix).entry
    if not entry.needs_continuation:
        raise CalmError(f"session {entry.id} was not left to be continued; show it instead")
    if entry.id in kb.with_index(resumed_sessions):
        raise CalmError(f"session {entry.id} has been resumed already; show it instead")
    record = Resumption(
        id=kb.environment.new_id(),
        created_at=kb.environment.now(),
        entry=entry.id,
        resumed_by=kb.reviewer(),
    )
    message = f"resume({entry.project_name}): {entry.id[:8]}\n\nCalm-Entry: {entry.id}\n"
    done = kb.save_record(record, message)
    left = pending_sessions(kb, project=entry.project_name)
    for name in {entry.project_name, kb.environment.cwd.name}:
        note(kb.environment.state, CONTINUATIONS, name, left[0].summary if left else "")
    return Resumed(entry, done.warning)
