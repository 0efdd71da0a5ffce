"""Kept sessions as they are searched and read: what is asked, and what is found."""

import re
from dataclasses import dataclass, field
from datetime import date

from calmkb.model.sessions.archive import KeptTurn

MOMENTS = 5
"""Moments that are shown for each session, on average: most where they fit best."""
_ADDRESS = re.compile(r".+:\d{1,9}")
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_NAME = re.compile(r"\w[\w.-]*")
_RESUME = {
    "claude-code": "claude --resume {id}",
    "codex": "codex resume {id}",
    "opencode": "opencode --session {id}",
    "copilot": "copilot --resume {id}",
    "cursor": "cursor-agent --resume {id}",
    "gemini": "gemini --resume {id}",
}


def resume_command(agent: str, identity: str) -> str:
    """Return the client's own command that resumes a session, "" where it has none."""
    return _RESUME.get(agent, "").format(id=identity) if _NAME.fullmatch(identity) else ""


def is_address(text: str) -> bool:
    """Return whether a text names a line of a session, as SESSION:LINE."""
    return _ADDRESS.fullmatch(text) is not None


@dataclass(frozen=True, slots=True)
class IndexedSession:
    """A kept session as the turn index has it; `path` is its file below the archive."""

    row: int
    path: str
    agent: str
    name: str
    resume_id: str
    folder: str
    project: str
    repository: str
    started: str
    ended: str
    commits: str
    part_of: str

    @property
    def resume(self) -> str:
        """The client's own command that resumes the session, "" where it has none."""
        return "" if self.part_of else resume_command(self.agent, self.resume_id)

    @property
    def short_name(self) -> str:
        """A beginning of the name that names it: eight signs of a UUID."""
        return self.name[: 8 if _UUID.fullmatch(self.name) else 30]


@dataclass(frozen=True, slots=True, kw_only=True)
class MomentsWanted:
    """What is asked of the kept sessions; a filter is off when empty.

    `limit` sessions are wanted, with `moments` of each on average.
    """

    query: str
    who: str = ""
    file: str = ""
    tool: str = ""
    errors: bool = False
    project: str = ""
    all_projects: bool = False
    since: date | None = None
    limit: int = 5
    moments: int = MOMENTS


@dataclass(frozen=True, slots=True)
class Moment:
    """A turn that was found, and the turns around it, in the order of the session."""

    line: int
    score: float
    turns: tuple[KeptTurn, ...] = field(default=())

    @property
    def hit(self) -> KeptTurn:
        """The turn itself."""
        return next((turn for turn in self.turns if turn.line == self.line), KeptTurn(line=0))


@dataclass(frozen=True, slots=True)
class SessionFound:
    """A session and the moments of it that fit best, the best first."""

    session: IndexedSession
    moments: tuple[Moment, ...]
    score: float


@dataclass(frozen=True, slots=True)
class Thread:
    """A session's turns, `line` the one that was asked for or 0, `all_turns` how many there are."""

    session: IndexedSession
    turns: tuple[KeptTurn, ...]
    line: int
    all_turns: int


@dataclass(frozen=True, slots=True)
class HandOver:
    """What a session leaves: turns in their order, files it changed, and what reading costs."""

    session: IndexedSession
    turns: tuple[KeptTurn, ...]
    files: tuple[str, ...]
    tokens: int
    of_tokens: int
