"""A kept session to be read: whole, or what is around a line of it."""

import re

from calmkb.errors import NotFoundError
from calmkb.kb.base.environment import Environment
from calmkb.model.sessions.archive import KeptTurn
from calmkb.model.sessions.kept import IndexedSession, Thread
from calmkb.wings.archive.kept.session_file import read_turns
from calmkb.wings.archive.turns.sessions import sessions_named
from calmkb.wings.archive.verbs.place import archive_of, current_index

_ADDRESS = re.compile(r"(?P<name>.+):(?P<line>\d{1,9})")


def open_thread(environment: Environment, address: str, *, around: int = 8) -> Thread:
    """Return the turns `around` the line of SESSION:LINE, or all of a SESSION.

    Raises NotFoundError where no kept session, or more than one, has that name.
    """
    found = _ADDRESS.fullmatch(address.strip())
    name, line = (found["name"], int(found["line"])) if found else (address.strip(), 0)
    session, turns = kept_session(environment, name)
    if not line:
        return Thread(session, turns, 0, len(turns))
    places = [place for place, turn in enumerate(turns) if turn.line <= line] or [0]
    first, last = max(0, places[-1] - around), places[-1] + around + 1
    return Thread(session, turns[first:last], turns[places[-1]].line, len(turns))


def kept_session(
    environment: Environment, prefix: str
) -> tuple[IndexedSession, tuple[KeptTurn, ...]]:
    """Return the one kept session whose name or id begins so, and its turns; else NotFoundError."""
    archive = archive_of(environment)
    found: list[IndexedSession] = []
    if archive.folder.is_dir() and prefix:
        with current_index(environment, archive) as db:
            found = sessions_named(db, prefix)
    if not found:
        raise NotFoundError(
            f"no kept session begins with {prefix!r}; find one with: calmkb search WORDS, "
            "and keep those of your clients with: calmkb agents keep"
        )
    if len(found) > 1:
        names = ", ".join(one.name for one in found[:4])
        raise NotFoundError(f"{prefix!r} is not unique ({names}); give more of the name")
    return found[0], read_turns(archive.folder / found[0].path)
