"""Bodies of requests and replies, in camelCase."""

from dataclasses import fields
from datetime import datetime
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints

from calmkb.wings.runs.model import EntryType, Run, RunEntry, SessionStatus, camel_case
from calmkb.wings.runs.store.values import TASK_CHARACTERS, TITLE_CHARACTERS

AgentType = Annotated[
    str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$", max_length=100)
]
Task = Annotated[str, StringConstraints(min_length=1, max_length=TASK_CHARACTERS, pattern=r"\S")]
Id = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9-]{1,64}$")]


class _Body(BaseModel):
    model_config = ConfigDict(
        alias_generator=camel_case, populate_by_name=True, extra="forbid", from_attributes=True
    )


class NewSession(_Body):
    """A session to create."""

    agent_type: AgentType
    title: Annotated[str, StringConstraints(max_length=TITLE_CHARACTERS)] | None = None


class RunConfig(_Body):
    """Options of a run; others than these are kept with it for its readers."""

    model_config = ConfigDict(alias_generator=camel_case, populate_by_name=True, extra="allow")

    max_steps: Annotated[int, Field(ge=1, le=10_000)] | None = None
    model: Annotated[str, StringConstraints(max_length=200)] | None = None
    max_tokens: Annotated[int, Field(ge=1, le=2**53)] | None = None
    max_cost: Annotated[float, Field(gt=0, le=1_000_000)] | None = None
    continue_from: Id | None = None


class NewRun(_Body):
    """A task for the next run of a session."""

    task: Task
    config: RunConfig | None = None


class AgentRun(NewRun):
    """A task for an agent, in an existing session or in a new one."""

    session_id: Id | None = None


class Archive(_Body):
    """Options of archiving a session."""

    wrapup: bool = False


class SessionMade(_Body):
    """A new session, and where to start its runs."""

    session_id: str
    run_url: str


class RunMade(_Body):
    """A new run, and where to follow it."""

    run_id: str
    subscribe_url: str


class AgentRunMade(RunMade):
    """A new run with its session."""

    session_id: str


class SessionBody(_Body):
    """A session."""

    id: str
    agent_type: str
    title: Annotated[str | None, BeforeValidator(lambda title: title or None)]
    status: SessionStatus
    created_at: datetime
    updated_at: datetime


class SessionWithRuns(_Body):
    """A session and its runs, in their order."""

    session: SessionBody
    runs: list[Run]


class EntryBody(BaseModel):
    """An entry; the names of its columns stay beside these for one release."""

    model_config = ConfigDict(alias_generator=camel_case, extra="allow")

    id: str
    run_id: str
    sequence_number: int
    entry_type: EntryType
    step_number: int | None
    data: dict[str, Any]
    created_at: datetime


def _in_both_spellings(entry: RunEntry) -> dict[str, Any]:
    kept = {one.name: getattr(entry, one.name) for one in fields(entry)}
    return kept | {camel_case(name): value for name, value in kept.items()}


class RunWithEntries(_Body):
    """A run and its entries, in their order."""

    run: Run
    entries: list[Annotated[EntryBody, BeforeValidator(_in_both_spellings)]]


class Archived(_Body):
    """An archived session, and the journal entry created from it, if any."""

    session: SessionBody
    entry_id: str | None


class FieldError(BaseModel):
    """What is wrong with a field."""

    field: str
    message: str


class ErrorDetail(BaseModel):
    """An error, for programs and for people."""

    code: str
    message: str
    fields: list[FieldError] | None = None


class ErrorBody(BaseModel):
    """The body of every error."""

    error: ErrorDetail
