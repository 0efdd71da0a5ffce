"""Reading what is there: sessions with their state, memories, reflections, problems."""

from collections.abc import Sequence
from dataclasses import dataclass

from calmkb.errors import NotFoundError
from calmkb.kb.base import KnowledgeBase
from calmkb.model import Entry, Memory, Problem, Reflection, SessionView
from calmkb.store.journal import read_journal
from calmkb.store.logs import all_logs


@dataclass(frozen=True, slots=True)
class Contents:
    """A knowledge base's records, newest first, with what could not be read."""

    sessions: tuple[SessionView, ...]
    memories: tuple[Memory, ...]
    reflections: tuple[Reflection, ...]
    problems: tuple[Problem, ...]


def read_contents(kb: KnowledgeBase) -> Contents:
    """Return all that `kb` holds; a knowledge base that does not exist holds nothing."""
    stored, problems = read_journal(kb.journal)
    records = sorted(
        (item.record for item in stored), key=lambda record: (record.created_at, record.id)
    )[::-1]
    reflections = tuple(record for record in records if isinstance(record, Reflection))
    covered = _covered_by(reflections)
    logs = {entry_id: str(path) for entry_id, path in all_logs(kb.world.state).items()}
    sessions = tuple(
        _view(record, covered.get(record.id), logs.get(record.id))
        for record in records
        if isinstance(record, Entry)
    )
    memories = tuple(record for record in records if isinstance(record, Memory))
    return Contents(sessions, memories, reflections, tuple(problems))


def list_sessions(
    kb: KnowledgeBase,
    *,
    unreflected: bool = False,
    project: str | None = None,
    working_directory: str | None = None,
    limit: int | None = None,
) -> tuple[tuple[SessionView, ...], tuple[Problem, ...]]:
    """Return the sessions that fit, newest first, and the files that could not be read."""
    contents = read_contents(kb)
    asked = kb.redactor().path(working_directory) if working_directory else None
    chosen = [
        view
        for view in contents.sessions
        if (not unreflected or view.reflected_at is None)
        and (project is None or view.entry.project_name.casefold() == project.casefold())
        and (asked is None or view.entry.working_directory == asked)
    ]
    return tuple(chosen[:limit]), contents.problems


def find_session(sessions: Sequence[SessionView], prefix: str) -> SessionView:
    """Return the session whose id begins with `prefix`; NotFoundError where none or many do."""
    found = [view for view in sessions if view.entry.id.startswith(prefix.strip().lower())]
    if not prefix.strip() or not found:
        raise NotFoundError(f"session {prefix!r} not found; list them with: calmkb session list")
    if len(found) > 1:
        shown = ", ".join(view.entry.id[: len(prefix) + 8] for view in found[:4])
        raise NotFoundError(f"session {prefix!r} is not unique ({shown}); give more of the id")
    return found[0]


def _covered_by(reflections: Sequence[Reflection]) -> dict[str, Reflection]:
    """Return the first reflection that lists each entry: later ones change nothing."""
    return {entry_id: record for record in reflections for entry_id in record.entries}


def _view(entry: Entry, reflection: Reflection | None, log: str | None) -> SessionView:
    if reflection is None:
        return SessionView(entry=entry, log_path=log)
    return SessionView(
        entry=entry,
        reflected_at=reflection.created_at,
        memories_created=reflection.memories_created,
        log_path=log,
    )
