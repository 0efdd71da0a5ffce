"""Sessions left to be continued: which wait, and the hand-over to who takes one up."""

from dataclasses import dataclass

from calmkb.documents import record_path, render
from calmkb.errors import CalmError
from calmkb.kb.base import KnowledgeBase
from calmkb.kb.sessions import find_session, read_contents
from calmkb.model import Entry, Resumption, SessionView
from calmkb.store.journal import read_journal
from calmkb.store.notices import note_continuation


@dataclass(frozen=True, slots=True)
class Resumed:
    """The session taken up, and a warning or nothing."""

    entry: Entry
    warning: str


def pending_sessions(kb: KnowledgeBase, *, project: str | None = None) -> tuple[SessionView, ...]:
    """Return the sessions that were left to be continued and not taken up, newest first."""
    taken = _taken_up(kb)
    return tuple(
        view
        for view in read_contents(kb).sessions
        if view.entry.needs_continuation
        and view.entry.id not in taken
        and (project is None or view.entry.project_name.casefold() == project.casefold())
    )


def resume_session(kb: KnowledgeBase, prefix: str) -> Resumed:
    """Record that a session is taken up, and return it.

    Raises NotFoundError on an unknown id, CalmError where there is nothing to take up.
    """
    entry = find_session(read_contents(kb).sessions, prefix).entry
    if not entry.needs_continuation:
        raise CalmError(f"session {entry.id} was not left to be continued; show it instead")
    if entry.id in _taken_up(kb):
        raise CalmError(f"session {entry.id} has been resumed already; show it instead")
    now = kb.world.now()
    record = Resumption(
        id=kb.world.new_id(), created_at=now, entry=entry.id, resumed_by=kb.reviewer()
    )
    message = f"resume({entry.project_name}): {entry.id[:8]}\n\nCalm-Entry: {entry.id}\n"
    done = kb.save({record_path(record): render(record).encode()}, message, now)
    left = pending_sessions(kb, project=entry.project_name)
    note_continuation(kb.world.state, entry.project_name, left[0].entry.summary if left else "")
    return Resumed(entry, done.warning)


def _taken_up(kb: KnowledgeBase) -> set[str]:
    stored, _ = read_journal(kb.journal, below="resumed")
    return {item.record.entry for item in stored if isinstance(item.record, Resumption)}
