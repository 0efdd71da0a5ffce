"""Agents that run as programs: sessions of runs, and the ordered entries that a run writes."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar, Literal, get_args

SessionStatus = Literal["active", "archived"]
RunStatus = Literal["running", "completed", "failed", "cancelled"]
RUN_STATUSES: tuple[RunStatus, ...] = get_args(RunStatus)
ENDS = tuple(status for status in RUN_STATUSES if status != "running")
EntryType = Literal[
    "run:started",
    "thinking",
    "text",
    "tool:starting",
    "tool:complete",
    "step:complete",
    "run:complete",
    "run:error",
]
ENTRY_TYPES: tuple[EntryType, ...] = get_args(EntryType)

Json = Mapping[str, Any]
Event = dict[str, Any]


def camel_case(name: str) -> str:
    """Return the name of a field in JSON."""
    first, *rest = name.split("_")
    return first + "".join(map(str.title, rest))


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSession:
    """Runs that belong together: a conversation with one type of agent."""

    id: str
    agent_type: str
    title: str = ""
    status: SessionStatus = "active"
    entry_id: str | None = None
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One task given to an agent; `run_number` counts from 1 in its session."""

    # HTTP's JSON names its fields in camelCase.
    __pydantic_config__: ClassVar = {"alias_generator": camel_case}

    id: str
    session_id: str
    run_number: int
    agent_type: str
    task: str
    status: RunStatus = "running"
    config: Json | None = None
    result: Json | None = None
    context_summary: str | None = None
    usage: Json | None = None
    project: str | None = None
    started_at: datetime
    completed_at: datetime | None = None
    created_at: datetime

    @property
    def outcome(self) -> str:
        """What its result says, else its status."""
        result = self.result or {}
        return str(result.get("message") or result.get("error") or self.status)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunEntry:
    """One thing that a run did; `sequence_number` counts from 1 in its run, without a gap."""

    id: str
    run_id: str
    sequence_number: int
    entry_type: EntryType
    step_number: int | None = None
    data: Json
    created_at: datetime


def event_of(item: RunEntry | Run) -> Event:
    """Return an entry, or a run at its end, as the event that a subscriber gets."""
    if isinstance(item, Run):
        run = {"id": item.id, "status": item.status, "result": item.result}
        return {"type": "complete", "run": run}
    kept = {name: getattr(item, name) for name in ("id", "entry_type", "step_number", "data")}
    at = item.created_at.isoformat().replace("+00:00", "Z")
    return {"type": "entry", "entry": {**kept, "created_at": at}}


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """A message of an earlier run: the user's task, or what the agent made of it."""

    role: Literal["user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunContext:
    """What a run is given of the completed runs before it in its session."""

    summary: str = ""
    recent_messages: tuple[Message, ...] = ()
