"""A kept session to be read: whole, or what is around a line of it."""

import re
from dataclasses import dataclass

from calmkb.errors import NotFoundError
from calmkb.kb.archive.place import archive_of, current_index
from calmkb.kb.base.environment import Environment
from calmkb.model.sessions.archive import KeptTurn
from calmkb.store.archive.session_file import read_turns
from calmkb.store.turns.sessions import SessionRow, sessions_named

_ADDRESS = re.compile(r"(?P<name>.+):(?P<line>\d{1,9})")
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_RESUME = {
    "claude-code": "claude --resume {id}",
    "codex": "codex resume {id}",
    "opencode": "opencode --session {id}",
    "copilot": "copilot --resume {id}",
    "cursor": "cursor-agent --resume {id}",
    "gemini": "gemini --resume {id}",
}


@dataclass(frozen=True, slots=True)
class Thread:
    """A session's turns, `line` the one that was asked for or 0, `all_turns` how many there are."""

    session: SessionRow
    turns: tuple[KeptTurn, ...]
    line: int
    all_turns: int

    @property
    def resume(self) -> str:
        """The client's own command that takes the session up again."""
        return resume_command(self.session)


def resume_command(session: SessionRow) -> str:
    """Return the client's own command that takes a session up, "" where it has none."""
    command = _RESUME.get(session.agent, "").format(id=session.resume_id)
    return command if session.resume_id and not session.part_of else ""


def short_name(session: SessionRow) -> str:
    """Return a beginning of a session's name that names it: eight signs of a UUID."""
    return session.name[: 8 if _UUID.fullmatch(session.name) else 30]


def is_address(text: str) -> bool:
    """Return whether a text names a line of a session."""
    return _ADDRESS.fullmatch(text) is not None


def open_thread(environment: Environment, address: str, *, around: int = 8) -> Thread:
    """Return the turns `around` the line of SESSION:LINE, or all of a SESSION.

    Raises NotFoundError where no kept session, or more than one, has that name.
    """
    found = _ADDRESS.fullmatch(address.strip())
    name, line = (found["name"], int(found["line"])) if found else (address.strip(), 0)
    archive = archive_of(environment)
    session = kept_session(environment, name)
    turns = read_turns(archive.folder / session.path)
    if not line:
        return Thread(session, turns, 0, len(turns))
    places = [place for place, turn in enumerate(turns) if turn.line <= line] or [0]
    first, last = max(0, places[-1] - around), places[-1] + around + 1
    return Thread(session, turns[first:last], turns[places[-1]].line, len(turns))


def kept_session(environment: Environment, prefix: str) -> SessionRow:
    """Return the kept session whose name or id begins so; NotFoundError where there is not one."""
    archive = archive_of(environment)
    found: list[SessionRow] = []
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
    return found[0]
