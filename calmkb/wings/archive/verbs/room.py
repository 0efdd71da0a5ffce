"""Room in the archive: the older a session and the less it is worth, the sooner it goes."""

import sqlite3
from datetime import UTC, datetime
from pathlib import Path

from calmkb.capture.formats.table import session_stamp
from calmkb.errors import TranscriptError
from calmkb.model.sessions.archive import KeptSession
from calmkb.wings.archive.kept.archive import Archive
from calmkb.wings.archive.kept.session_file import read_session
from calmkb.wings.archive.turns.filling import forget

_OLD = datetime(1970, 1, 1, tzinfo=UTC)


def make_room(archive: Archive, db: sqlite3.Connection, limit: int, now: datetime) -> int:
    """Drop sessions until the archive is within `limit` bytes; return how many."""
    sizes = {path: path.stat().st_size for path in archive.files()}
    total, dropped = sum(sizes.values()), 0
    if total <= limit:
        return 0
    known = {path: read_session(path) for path in sizes}
    worth = {path: (_uselessness(session, now), str(path)) for path, session in known.items()}
    for path in sorted(sizes, key=worth.__getitem__, reverse=True):
        session = known[path]
        archive.drop(path, _size_of(session.source) if session else 0)
        forget(db, path.relative_to(archive.folder).as_posix())
        total, dropped = total - sizes[path], dropped + 1
        if total <= limit:
            break
    return dropped


def _uselessness(session: KeptSession | None, now: datetime) -> float:
    """Return the age in days, counted less for a session that is worth more."""
    if session is None:
        return float("inf")
    age = max(0.0, (now - (session.ended_at or _OLD)).total_seconds()) / 86_400
    return (age + 1) / (session.weight or 0.25)


def _size_of(source: str) -> int:
    try:
        stamp = session_stamp(Path(source))
    except TranscriptError:
        return 0
    return stamp.size if stamp else 0
