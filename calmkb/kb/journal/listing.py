"""Lists of sessions, whole or as rows of the index: what a list shows needs no record's class."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from calmkb.errors import NotFoundError
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.base.reading import ask_with_problems
from calmkb.store.index.index import Index
from calmkb.store.index.project_names import ProjectNames, project_names
from calmkb.store.index.queries import Found, newest_sessions, project_in

if TYPE_CHECKING:
    from calmkb.model import Problem, SessionView

T = TypeVar("T")


@dataclass(frozen=True)
class SessionFilter:
    """Which sessions a list is about; filters are off when empty."""

    unreflected: bool = False
    project: str | None = None
    working_directory: str | None = None
    limit: int | None = None


@dataclass(frozen=True)
class SessionRow:
    """A session as a list shows it; times are ISO 8601."""

    id: str
    created_at: str
    working_directory: str
    project_name: str
    title: str
    summary: str
    reflected_at: str | None


def session_rows(
    kb: KnowledgeBase, wanted: SessionFilter
) -> "tuple[tuple[SessionRow, ...], tuple[Problem, ...]]":
    """Return the sessions that fit, newest first, and the files that could not be read."""
    return _newest(kb, lambda found, names: tuple(_row(item, names) for item in found), wanted)


def list_sessions(
    kb: KnowledgeBase, wanted: SessionFilter = SessionFilter()
) -> "tuple[tuple[SessionView, ...], tuple[Problem, ...]]":
    """Return the whole sessions that fit, newest first, and the files that could not be read."""
    from calmkb.kb.journal.sessions import logs_of, view_of

    def read(found: list[Found], names: ProjectNames) -> "tuple[SessionView, ...]":
        logs = logs_of(kb)
        return tuple(view_of(item, logs, names) for item in found)

    return _newest(kb, read, wanted)


def newest_session(kb: KnowledgeBase) -> "SessionView":
    """Return the newest session; NotFoundError where there is none."""
    found, _ = list_sessions(kb, SessionFilter(limit=1))
    if not found:
        raise NotFoundError("there is no session yet; record one with: calmkb wrapup")
    return found[0]


def _newest(
    kb: KnowledgeBase,
    read: Callable[[list[Found], ProjectNames], tuple[T, ...]],
    wanted: SessionFilter,
) -> "tuple[tuple[T, ...], tuple[Problem, ...]]":
    """Return what `read` makes of the sessions that fit, and the files that could not be read."""
    asked = wanted.working_directory
    directory = kb.redactor.text(asked) if asked else None

    def look(index: Index) -> tuple[T, ...]:
        names = project_names(index)
        found = newest_sessions(
            index,
            unreflected=wanted.unreflected,
            project=None if wanted.project is None else names.rows_of(wanted.project),
            directory=directory,
            limit=-1 if wanted.limit is None else wanted.limit,
        )
        return read(found, names)

    return ask_with_problems(kb, look, look_at_all=wanted.limit is None)


def _row(found: Found, names: ProjectNames) -> SessionRow:
    fields, covering = found.fields, found.reflection
    return SessionRow(
        id=fields["id"],
        created_at=fields["created_at"],
        working_directory=fields["working_directory"],
        project_name=project_in(fields, names),
        title=fields.get("title", ""),
        summary=fields["summary"],
        reflected_at=covering["created_at"] if covering else None,
    )
