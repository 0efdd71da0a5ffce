"""Moments of kept sessions: the turns that a search found and those around them; what they cost."""

import contextlib
import sqlite3
from collections.abc import Iterable, Mapping, Sequence

from calmkb.errors import StoreError
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.model.memories.backtest import Cost
from calmkb.model.sessions.archive import KeptTurn
from calmkb.model.sessions.kept import Moment, MomentsWanted, SessionFound
from calmkb.store.index.search_query import read_query
from calmkb.wings.archive.kept.archive import Archive
from calmkb.wings.archive.kept.session_file import read_turns
from calmkb.wings.archive.turns.best import best_sessions
from calmkb.wings.archive.turns.expressions import term_of
from calmkb.wings.archive.turns.looking import look_through
from calmkb.wings.archive.turns.search import TurnFound, TurnsWanted, search_turns, sessions_beside
from calmkb.wings.archive.turns.sessions import session_at, sessions_named, turns_beside
from calmkb.wings.archive.verbs.meaning import near_turns
from calmkb.wings.archive.verbs.place import archive_of, current_index, not_kept


def find_moments(
    kb: KnowledgeBase, wanted: MomentsWanted, *, meaning: bool = False
) -> tuple[SessionFound, ...]:
    """Return the sessions that fit best, with moments; none where nothing is kept here.

    With `meaning`, by what words mean too, where a model is installed.
    """
    archive = archive_of(kb.environment)
    if not archive.folder.is_dir():
        return ()
    with current_index(kb.environment, archive) as db:
        meant = near_turns(kb.environment, db, wanted.query) if meaning else {}
        asked = _asked(kb, wanted)
        found = search_turns(db, asked, meant, look_through(archive, db, asked))
        groups = best_sessions(
            found, wanted.limit, wanted.moments, apart=bool(wanted.query.strip())
        )
        sessions = (_session(archive, db, group) for group in groups)
        return tuple(one for one in sessions if one)


def sessions_not_searched(kb: KnowledgeBase, wanted: MomentsWanted) -> tuple[int, int]:
    """Return how many kept sessions are of other projects, and how many are not kept."""
    from calmkb.capture.history.sources import all_session_files

    archive = archive_of(kb.environment)
    files, _ = all_session_files(kb.environment.home, kb.environment.env)
    unkept = len(not_kept(kb.environment, files))
    if not archive.folder.is_dir():
        return 0, unkept
    with current_index(kb.environment, archive) as db:
        return sessions_beside(db, _asked(kb, wanted)), unkept


def _asked(kb: KnowledgeBase, wanted: MomentsWanted) -> TurnsWanted:
    query = read_query(wanted.query) if wanted.query.strip() else None
    named = zip(query.words, query.quoted, strict=True) if query else ()
    terms = [term for word, quoted in named if (term := term_of(word, quoted=quoted))]
    begun = term_of(query.words[-1], beginning=True) if query and query.beginning else None
    names, repositories = _projects(kb, wanted)
    return TurnsWanted(
        asked=wanted, terms=tuple(terms), beginning=begun, projects=names,
        repositories=repositories,
    )  # fmt: skip


def _projects(kb: KnowledgeBase, wanted: MomentsWanted) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names and the repositories whose sessions are searched; none for all.

    The knowledge base of a repository searches that repository's sessions, as an import takes them.
    """
    if wanted.project:
        return _named(kb, wanted.project)
    if wanted.all_projects or kb.root == kb.environment.home / ".calm" / "kb":
        return (), ()
    own = [kb.at(kb.root).project, kb.project]
    repositories = tuple(dict.fromkeys(one.repository for one in own if one.repository))
    return tuple(dict.fromkeys(one.name for one in own if one.name)), repositories


def _named(kb: KnowledgeBase, project: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names and the repositories of a project, as people or its settings named it."""
    from calmkb.kb.base.reading import ask_index  # the index of records, for this filter alone
    from calmkb.store.index.project_names import project_names

    rows = ask_index(kb, project_names).rows_of(project)
    is_own = project.casefold() == kb.config.project.casefold()
    repository = kb.at(kb.root).project.repository if is_own else ""
    return rows.names, (*rows.repositories, *([repository] if repository else []))


def _session(
    archive: Archive, db: sqlite3.Connection, group: Sequence[TurnFound]
) -> SessionFound | None:
    session = session_at(db, group[0].session)
    if session is None:
        return None
    moments = []
    for found in group:
        turns = turns_beside(archive, db, session, found.line, found.place)
        moments.append(Moment(found.line, round(found.score, 4), turns))
    return SessionFound(session, tuple(moments), round(group[0].score, 4))


def trouble_costs(
    kb: KnowledgeBase, quotes: Mapping[str, Iterable[str]]
) -> dict[tuple[str, str], Cost]:
    """Return by session and quote what the quote's trouble cost; nothing is known of the others.

    Where the copies cannot be read nothing is known of any.
    """
    from calmkb.wings.archive.turn_cost import cost_of  # a search would wait for it, unused

    found: dict[tuple[str, str], Cost] = {}
    archive = archive_of(kb.environment)
    if not quotes or not archive.folder.is_dir():
        return found
    with contextlib.suppress(StoreError), current_index(kb.environment, archive) as db:
        for number, name in enumerate(sorted(quotes), 1):  # so that a session is read once
            kb.environment.report("Reading kept sessions", number, len(quotes))
            rows = [row for row in sessions_named(db, name) if name in (row.name, row.resume_id)]
            turns: Sequence[KeptTurn] = ()
            if rows:
                with contextlib.suppress(StoreError):  # it went to make room
                    turns = read_turns(archive.folder / rows[0].path)
            costs = {(name, quote): cost_of(turns, quote) for quote in quotes[name]}
            found.update({key: cost for key, cost in costs.items() if cost})
    return found
