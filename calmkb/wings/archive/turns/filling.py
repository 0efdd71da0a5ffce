"""Brings the turn index up to date with the archive: of a grown session, with its new turns."""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from calmkb.model.sessions.archive import KeptSession, KeptTurn
from calmkb.store.local.sessions import size_of
from calmkb.wings.archive.kept.archive import Archive
from calmkb.wings.archive.kept.session_file import Frame, read_frames, read_session
from calmkb.wings.archive.turns.passages import key_of, passages_of
from calmkb.wings.archive.turns.schema import CHANGED, outdate
from calmkb.wings.archive.turns.words import indexed, is_said, level, sameness

Report = Callable[[int, int], None]
_CHUNK = 4_096


@contextmanager
def changing(archive: Archive) -> Iterator[None]:
    """Note while the archive is written to that the index may lack something; a kill leaves it."""
    note = archive.folder / CHANGED
    note.touch(mode=0o600)
    yield
    note.unlink(missing_ok=True)


def refresh(db: sqlite3.Connection, archive: Archive, report: Report | None = None) -> None:
    """Index all that is new in the archive, and forget what is gone."""
    known = dict(db.execute("SELECT path, size FROM sessions").fetchall())
    files = {_key(archive, path): path for path in archive.files()}
    for gone in sorted(known.keys() - files.keys()):
        forget(db, gone)
    stale = [key for key, path in files.items() if known.get(key) != size_of(path)]
    for number, key in enumerate(stale, 1):
        index_session(db, archive, files[key])
        if report:
            report(number, len(stale))


def index_session(db: sqlite3.Connection, archive: Archive, path: Path) -> None:
    """Index what is new in one session's file, in one transaction.

    Another process may be at it: what is known is asked inside, or its turns would be there twice.
    """
    with db:  # committed at the end, or undone by an error
        db.execute("BEGIN IMMEDIATE")
        _index_new(db, _key(archive, path), path)


def _index_new(db: sqlite3.Connection, key: str, path: Path) -> None:
    known = db.execute("SELECT row, size, said FROM sessions WHERE path = ?", (key,)).fetchone()
    size = size_of(path)
    if known and known[1] > size >= 0:  # written whole again
        forget(db, key)
        known = None
    row, before, said = known or (None, 0, 0)
    session = read_session(path, before)
    if session is None:
        return
    row = _enter(db, row, key, size, session)
    for frame in read_frames(path, before):
        said, before = _index(db, row, frame, session, said), frame.end
    # What follows the last sound frame is half written, and goes with the next one.
    db.execute("UPDATE sessions SET said = ?, size = ? WHERE row = ?", (said, before, row))


def forget(db: sqlite3.Connection, key: str) -> None:
    """Forget a session; its words stay in the full text and lead nowhere.

    Where most turns are gone, the index is built again when it is asked for next.
    """
    own = "WHERE session IN (SELECT row FROM sessions WHERE path = ?)"
    gone = db.execute(f"DELETE FROM turns {own} RETURNING row", (key,)).fetchall()  # noqa: S608
    clear_levels(db, (row for (row,) in gone))
    db.execute("DELETE FROM sessions WHERE path = ?", (key,))
    (left,) = db.execute("SELECT count(*) FROM turns").fetchone()
    if 2 * left < _next_row(db) - 1:
        outdate(db)


def _key(archive: Archive, path: Path) -> str:
    return path.relative_to(archive.folder).as_posix()


def _enter(
    db: sqlite3.Connection, row: int | None, key: str, size: int, session: KeptSession
) -> int:
    values = (
        key, size, session.agent, session.name, session.resume_id, session.folder,
        session.project.casefold(), session.repository.casefold(),
        session.started_at.isoformat() if session.started_at else "",
        session.ended_at.isoformat() if session.ended_at else "",
        " ".join(session.commits), session.part_of, 0,
    )  # fmt: skip
    done = db.execute(
        "REPLACE INTO sessions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", (row, *values)
    )
    return row or done.lastrowid or 0


def _index(db: sqlite3.Connection, row: int, frame: Frame, session: KeptSession, said: int) -> int:
    """Index the turns of a frame; return how many turns of the session so far are words."""
    first = min((turn.line for turn in frame.turns), default=0)
    asked = "SELECT line, part, row, place FROM turns WHERE session = ? AND line >= ?"
    known = {(line, part): (old, at) for line, part, old, at in db.execute(asked, (row, first))}
    first_new = new = _next_row(db)
    turns, texts, levels, passages = [], [], [], []
    for number, turn in enumerate(frame.turns):
        old, place = known.get((turn.line, turn.part), (0, 0))
        if old:  # what an agent said was completed
            db.execute("DELETE FROM turns WHERE row = ?", (old,))
        else:
            said += is_said(turn)
            place = said
        at, is_tool = _moment(turn, session), not is_said(turn)
        turns.append((new, row, turn.line, turn.part, at, place, frame.start, number, is_tool,
                      sameness(turn)))  # fmt: skip
        texts.append((new, indexed(turn)))
        levels.append(level(turn))
        passages += [(key_of(passage), new) for passage in passages_of(turn)]
        new += 1
    db.executemany("INSERT INTO turns VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", turns)
    db.executemany("INSERT INTO texts (rowid, words) VALUES (?, ?)", texts)
    db.executemany("INSERT OR IGNORE INTO passages VALUES (?, ?)", passages)
    add_levels(db, first_new, levels)
    return said


def _next_row(db: sqlite3.Connection) -> int:
    """Return a row that no turn had before: words of one that is gone must not lead to another."""
    found = db.execute("SELECT seq FROM sqlite_sequence WHERE name = 'turns'").fetchone()
    return found[0] + 1 if found else 1


def _moment(turn: KeptTurn, session: KeptSession) -> int:
    at = turn.at or session.ended_at
    return int(at.timestamp()) if at else 0


def add_levels(db: sqlite3.Connection, first: int, levels: Sequence[int]) -> None:
    """Store the levels of the rows from `first` on."""
    done = 0
    while done < len(levels):
        chunk, start = divmod(first + done, _CHUNK)
        part = bytes(levels[done : done + _CHUNK - start])
        known = db.execute("SELECT levels FROM levels WHERE chunk = ?", (chunk,)).fetchone()
        before = (known[0] if known else b"")[:start].ljust(start, b"\0")
        db.execute("REPLACE INTO levels VALUES (?, ?)", (chunk, before + part))
        done += len(part)


def read_levels(db: sqlite3.Connection) -> bytes:
    """Return the levels of all rows; a row is its place."""
    chunks = db.execute("SELECT levels FROM levels ORDER BY chunk")
    return b"".join(levels for (levels,) in chunks)


def clear_levels(db: sqlite3.Connection, rows: Iterable[int]) -> None:
    """Make words worth nothing in turns that are gone: the full text still has them."""
    chunks: dict[int, list[int]] = {}
    for row in rows:
        chunks.setdefault(row // _CHUNK, []).append(row % _CHUNK)
    for chunk, places in chunks.items():
        (known,) = db.execute("SELECT levels FROM levels WHERE chunk = ?", (chunk,)).fetchone()
        levels = bytearray(known)
        for place in places:
            levels[place] = 0
        db.execute("UPDATE levels SET levels = ? WHERE chunk = ?", (bytes(levels), chunk))
