"""What every transcript becomes, whichever agent wrote it: turns in the order of the file."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

Role = Literal["person", "agent", "tool", "system"]
Kind = Literal[
    "",  # plain words
    "call",  # an agent calls a tool
    "result",  # the tool answers
    "command",  # a slash command that a person typed; its text is "/name arguments"
    "interruption",  # a person stopped the agent
    "rejection",  # a person turned a tool call down; as a person's turn, the words they gave
    "compaction",  # a summary that replaces what went before
    "echo",  # text that the client put into a person's mouth
    "error",  # the client's own failure, such as a lost connection
]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanItem:
    """One item of the agent's own list of tasks; `status` is the agent's word for it."""

    text: str
    status: str = "pending"


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One thing that was said or done.

    A tool call is a turn of the agent (`kind` "call", its text the command or the input in
    short) and the answer a turn of the tool (`kind` "result"); `tool_use_id` joins the two.
    `plan` is the whole task list as it is after this turn, None where it was not touched.
    `change` is what a call writes into a file, read only where whole texts are. `tokens` are what a
    turn of the agent cost, by the usage that its client wrote down, 0 where it did not: read again
    or written, without those that came from the provider's cache.
    """

    role: Role
    text: str
    timestamp: datetime | None = None
    kind: Kind = ""
    tool: str = ""
    tool_use_id: str = ""
    failed: bool = False
    files: tuple[str, ...] = ()
    change: str = ""
    plan: tuple[PlanItem, ...] | None = None
    is_sidechain: bool = False
    line: int = 0
    tokens: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcript:
    """One session as its agent recorded it, with the lines that could not be read or understood.

    `folders` are those that it worked in, the first one first; `remote` is the URL of their
    repository, where the agent wrote it down. An `automated` one was run by a program.
    """

    turns: tuple[Turn, ...]
    session_id: str = ""
    working_directory: str = ""
    folders: tuple[str, ...] = ()
    remote: str = ""
    automated: bool = False
    branch: str = ""
    agent: str = ""
    started_at: datetime | None = None
    ended_at: datetime | None = None
    broken_lines: tuple[int, ...] = ()
    unknown_kinds: Mapping[str, int] = field(default_factory=dict)
