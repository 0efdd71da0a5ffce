"""The endpoints: each parses, makes one call, and returns the result."""

from collections.abc import AsyncIterable, Sequence
from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.sse import EventSourceResponse, ServerSentEvent
from pydantic import BeforeValidator

from calmkb.errors import NotFoundError
from calmkb.wings.runs.http import bodies
from calmkb.wings.runs.http.dependencies import Followed, Journal, Number, RunnerOf
from calmkb.wings.runs.http.errors import errors_of, field_error, stream_errors_of
from calmkb.wings.runs.model import Run, RunEntry, RunSession, RunStatus, SessionStatus, event_of
from calmkb.wings.runs.store.reading import Hit

ROUTES = APIRouter()


def _no_number(given: str) -> str:
    """Refuse a number, which would be read as seconds since 1970."""
    if given.count("-") < 2:
        raise ValueError("give a date and a time, such as 2026-10-01T00:00:00Z")
    return given


Moment = Annotated[datetime, BeforeValidator(_no_number)]
Limit = Annotated[int, Query(ge=1, le=200)]


@ROUTES.post("/sessions", status_code=201, responses=errors_of(422))
async def create_session(body: bodies.NewSession, runner: RunnerOf) -> bodies.SessionMade:
    """Create a session with an agent type."""
    if body.agent_type not in (names := runner.agent_types()):
        raise field_error("agentType", f"not configured; choose from: {', '.join(names)}")
    session = await runner.begin_session(body.agent_type, title=body.title or "")
    return bodies.SessionMade(session_id=session.id, run_url=f"/sessions/{session.id}/runs")


@ROUTES.get("/sessions", response_model=list[bodies.SessionBody], responses=errors_of(422))
async def list_sessions(
    journal: Journal, status: SessionStatus | None = None,
    agent_type: Annotated[bodies.AgentType | None, Query(alias="agentType")] = None,
    limit: Limit = 50, offset: Number = 0,
) -> Sequence[RunSession]:  # fmt: skip
    """List sessions, newest first."""
    return await journal.list_sessions(
        status=status, agent_type=agent_type, limit=limit, offset=offset
    )


@ROUTES.get("/sessions/{session_id}", responses=errors_of(404, 422))
async def get_session(session_id: str, journal: Journal) -> bodies.SessionWithRuns:
    """Return a session with its runs."""
    session = await journal.get_session(session_id)
    runs = await journal.list_runs(session_id)
    return bodies.SessionWithRuns.model_validate({"session": session, "runs": runs})


@ROUTES.post("/sessions/{session_id}/archive", responses=errors_of(404, 409, 422))
async def archive_session(
    session_id: str, runner: RunnerOf, body: bodies.Archive | None = None
) -> bodies.Archived:
    """Archive a session; `wrapup=true` also creates a journal entry."""
    session = await runner.archive(session_id, wrapup=body.wrapup if body else False)
    return bodies.Archived(
        session=bodies.SessionBody.model_validate(session), entry_id=session.entry_id
    )


@ROUTES.delete("/sessions/{session_id}", status_code=204, responses=errors_of(404, 409, 422))
async def delete_session(session_id: str, journal: Journal) -> None:
    """Delete a session with its runs and their entries; 409 while one of them is running."""
    await journal.delete_session(session_id)


@ROUTES.post("/sessions/{session_id}/runs", status_code=201, responses=errors_of(404, 409, 422))
async def start_run(session_id: str, body: bodies.NewRun, runner: RunnerOf) -> bodies.RunMade:
    """Start the next run of a session."""
    run = await runner.start(session_id, body.task, _config(body))
    return bodies.RunMade(run_id=run.id, subscribe_url=f"/runs/{run.id}/subscribe")


@ROUTES.post("/agents/{agent_type}/run", status_code=201, responses=errors_of(404, 409, 422))
async def run_agent(
    agent_type: bodies.AgentType, body: bodies.AgentRun, journal: Journal, runner: RunnerOf
) -> bodies.AgentRunMade:
    """Give an agent a task, in the given session or in a new one."""
    if agent_type not in runner.agent_types():
        raise NotFoundError(f"agent {agent_type!r} is not configured")
    if body.session_id is None:
        session = await runner.begin_session(agent_type)
    else:
        session = await journal.get_session(body.session_id)
        if session.agent_type != agent_type:
            raise field_error("sessionId", f"it is a session with {session.agent_type}")
    run = await runner.start(session.id, body.task, _config(body))
    return bodies.AgentRunMade(
        run_id=run.id, session_id=session.id, subscribe_url=f"/runs/{run.id}/subscribe"
    )


@ROUTES.get("/runs", responses=errors_of(422))
async def list_runs(
    journal: Journal, status: RunStatus | None = None, since: Moment | None = None,
    limit: Limit = 50, offset: Number = 0,
) -> Sequence[Run]:  # fmt: skip
    """List runs of all sessions, newest first."""
    return await journal.list_recent_runs(status=status, since=since, limit=limit, offset=offset)


@ROUTES.get("/runs/{run_id}", responses=errors_of(404, 422))
async def get_run(run_id: str, journal: Journal) -> bodies.RunWithEntries:
    """Return a run with its entries."""
    run = await journal.get_run(run_id)
    entries = await journal.entries(run_id)
    return bodies.RunWithEntries.model_validate({"run": run, "entries": entries})


@ROUTES.post("/runs/{run_id}/cancel", responses=errors_of(404, 409, 422))
async def cancel_run(run_id: str, runner: RunnerOf) -> Run:
    """Cancel a run, whichever process executes it; its entries until then are kept."""
    return await runner.cancel(run_id)


@ROUTES.get(
    "/runs/{run_id}/subscribe",
    response_class=EventSourceResponse,
    responses=stream_errors_of(404, 422),
)
async def subscribe(items: Followed) -> AsyncIterable[ServerSentEvent]:
    """Send each stored entry as an event, then each new one, and finally the run's result.

    An event's id is the entry's number: a client that reconnects with `Last-Event-ID` (or `after`)
    misses nothing and gets nothing twice. With `follow=false` only stored entries are sent.
    """
    async for item in items:
        number = str(item.sequence_number) if isinstance(item, RunEntry) else None
        yield ServerSentEvent(data=event_of(item), id=number)


@ROUTES.get("/search", responses=errors_of(422))
async def search(
    journal: Journal, q: Annotated[str, Query(min_length=1, max_length=200)], limit: Limit = 50
) -> Sequence[Hit]:
    """Return the newest entries of all runs that hold every word."""
    return await journal.search(q, limit=limit)


@ROUTES.get("/agents", responses=errors_of())
async def list_agents(runner: RunnerOf) -> list[str]:
    """List the agent types."""
    return list(runner.agent_types())


@ROUTES.get("/health", responses=errors_of())
async def health() -> dict[str, str]:
    """Report that the server is up."""
    return {"status": "ok"}


def _config(body: bodies.NewRun) -> dict[str, object] | None:
    if body.config is None:
        return None
    return body.config.model_dump(by_alias=True, exclude_none=True)
