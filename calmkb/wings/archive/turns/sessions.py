"""Kept sessions as the turn index knows them: found by name or by commit, and their turns."""

import sqlite3
from collections.abc import Iterable

from calmkb.model.sessions.archive import KeptTurn
from calmkb.model.sessions.kept import IndexedSession
from calmkb.wings.archive.kept.archive import Archive
from calmkb.wings.archive.kept.session_file import read_turns_at
from calmkb.wings.archive.turns.words import file_mark

_COLUMNS = (
    "row, path, agent, name, resume, folder, project, repository, started, ended, commits, part_of"
)


def session_at(db: sqlite3.Connection, row: int) -> IndexedSession | None:
    """Return the session of a row."""
    found = _rows(db, "row = ?", row)
    return found[0] if found else None


def sessions_named(db: sqlite3.Connection, prefix: str) -> list[IndexedSession]:
    """Return the sessions whose name or id begins so, newest first; an exact one stands alone."""
    start, end = prefix, f"{prefix}\U0010ffff"
    found = _rows(
        db, "(name >= ? AND name < ?) OR (resume >= ? AND resume < ?)", start, end, start, end
    )
    whole = [one for one in found if one.name == prefix]
    return whole or [one for one in found if one.resume_id == prefix and not one.part_of] or found


def sessions_with_commits(db: sqlite3.Connection) -> list[IndexedSession]:
    """Return the sessions that made commits, newest first."""
    return _rows(db, "commits != ''")


def turns_naming(
    archive: Archive, db: sqlite3.Connection, session: IndexedSession, file: str
) -> list[tuple[KeptTurn, int]]:
    """Return the turns of a session that name a file, in order, with their places among words."""
    asked = (
        "SELECT frame, number, place FROM texts JOIN turns ON turns.row = texts.rowid "
        "WHERE texts MATCH ? AND session = ? ORDER BY line, part"
    )
    rows = db.execute(asked, (file_mark(file), session.row)).fetchall()
    return [
        (turn, place)
        for frame, number, place in rows
        for turn in _turns_at(archive, session, [(frame, number)])
    ]


def _turns_at(
    archive: Archive, session: IndexedSession, places: Iterable[tuple[int, int]]
) -> list[KeptTurn]:
    """Return the turns at frames and numbers, in the order of the session."""
    wanted: dict[int, list[int]] = {}
    for frame, number in places:
        wanted.setdefault(frame, []).append(number)
    path = archive.folder / session.path
    frames = (read_turns_at(path, frame, numbers) for frame, numbers in wanted.items())
    turns = [turn for one in frames for turn in one]
    return sorted(turns, key=lambda turn: (turn.line, turn.part))


def sessions_naming(db: sqlite3.Connection, file: str) -> list[IndexedSession]:
    """Return the newest 50 sessions that name a file in a call, newest first."""
    naming = "SELECT session FROM texts JOIN turns ON turns.row = texts.rowid WHERE texts MATCH ?"
    return _rows(db, f"row IN ({naming})", file_mark(file))[:50]


def turns_beside(
    archive: Archive, db: sqlite3.Connection, session: IndexedSession, line: int, place: int
) -> tuple[KeptTurn, ...]:
    """Return the turns of a line, and the words before and after it, from the frames with them."""
    asked = (
        "SELECT frame, number FROM turns WHERE session = :session AND (line = :line OR is_tool = 0 "
        "AND place BETWEEN :place - 1 AND :place + 1) ORDER BY line, part"
    )
    places = db.execute(asked, {"session": session.row, "line": line, "place": place}).fetchall()
    return tuple(_turns_at(archive, session, places))


def _rows(db: sqlite3.Connection, test: str, *values: object) -> list[IndexedSession]:
    asked = f"SELECT {_COLUMNS} FROM sessions WHERE {test} ORDER BY ended DESC, row"  # noqa: S608
    return [IndexedSession(*row) for row in db.execute(asked, values)]
