"""A session as the archive keeps it, which outlives the client's own file."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptTurn:
    """One thing that was said or done; `line` and `part` are its place in the client's file.

    `role` and `kind` are those of transcripts. `change` is what a call wrote into a file, `tokens`
    what a turn cost where the client says so.
    """

    line: int
    part: int = 0
    at: datetime | None = None
    role: str = "system"
    kind: str = ""
    tool: str = ""
    text: str = ""
    files: tuple[str, ...] = ()
    change: str = ""
    failed: bool = False
    side: bool = False
    tokens: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptSession:
    """What is known of a kept session; `name` is its own among those of its `agent`.

    `resume_id` is what the client resumes it by. `weight` says how much it is worth keeping.
    """

    agent: str
    name: str
    resume_id: str = ""
    folder: str = ""
    project: str = ""
    repository: str = ""
    branch: str = ""
    source: str = ""
    started_at: datetime | None = None
    ended_at: datetime | None = None
    commits: tuple[str, ...] = ()
    weight: int = 1
    part_of: str = ""
    """The session that started it, where it is a sub-agent's."""
