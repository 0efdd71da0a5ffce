"""The endpoints: each parses, makes one call, and says what came of it."""

from collections.abc import AsyncIterable
from typing import Annotated

from fastapi import APIRouter, Header, Query, Request
from fastapi.sse import EventSourceResponse, ServerSentEvent

from calmkb.errors import NotFoundError
from calmkb.model import Run, SessionStatus
from calmkb.runs.base import Page
from calmkb.runs.http import bodies
from calmkb.runs.http.faults import answers, stream_answers, wrong
from calmkb.runs.http.given import MOST, Carrier, Journal, RunId, SessionId, TheRun, seen
from calmkb.runs.http.streams import followed

ROUTES = APIRouter()


@ROUTES.post("/sessions", status_code=201, responses=answers(422))
async def create_session(body: bodies.NewSession, runner: Carrier) -> bodies.SessionMade:
    """Begin a session with a type of agent."""
    if body.agent_type not in (names := runner.agent_types()):
        raise wrong("agentType", f"not configured; choose from: {', '.join(names)}")
    session = await runner.begin_session(body.agent_type, title=body.title)
    return bodies.SessionMade(session_id=session.id, run_url=f"/sessions/{session.id}/runs")


@ROUTES.get("/sessions", responses=answers(422))
async def list_sessions(
    journal: Journal,
    status: SessionStatus | None = None,
    agent_type: Annotated[bodies.AgentType | None, Query(alias="agentType")] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    offset: Annotated[int, Query(ge=0, le=MOST)] = 0,
) -> list[bodies.SessionBody]:
    """Return sessions, newest first."""
    found = await journal.list_sessions(
        status=status, agent_type=agent_type, page=Page(limit, offset)
    )
    return [bodies.session_body(session) for session in found]


@ROUTES.get("/sessions/{session_id}", responses=answers(404, 422))
async def get_session(session_id: SessionId, journal: Journal) -> bodies.SessionWithRuns:
    """Return a session with its runs."""
    session = await journal.get_session(session_id)
    runs = await journal.list_runs(session_id)
    return bodies.SessionWithRuns(
        session=bodies.session_body(session), runs=[bodies.run_body(run) for run in runs]
    )


@ROUTES.post("/sessions/{session_id}/archive", responses=answers(404, 409, 422))
async def archive_session(
    session_id: SessionId, runner: Carrier, body: bodies.Archive | None = None
) -> bodies.Archived:
    """End a session; with `wrapup` it is drawn up as an entry of the session journal."""
    done = await runner.archive(session_id, wrapup=body.wrapup if body else False)
    return bodies.Archived(
        session=bodies.session_body(done.session), entry_id=done.entry_id or None
    )


@ROUTES.delete("/sessions/{session_id}", status_code=204, responses=answers(404, 409, 422))
async def delete_session(session_id: SessionId, journal: Journal) -> None:
    """Take a session out with its runs and their entries."""
    await journal.delete_session(session_id)


@ROUTES.post("/sessions/{session_id}/runs", status_code=201, responses=answers(404, 409, 422))
async def start_run(session_id: SessionId, body: bodies.NewRun, runner: Carrier) -> bodies.RunMade:
    """Begin the next run of a session."""
    run = await runner.start(session_id, body.task, _config(body))
    return bodies.RunMade(run_id=run.id, subscribe_url=f"/runs/{run.id}/subscribe")


@ROUTES.post("/agents/{agent_type}/run", status_code=201, responses=answers(404, 409, 422))
async def run_agent(
    agent_type: bodies.AgentType, body: bodies.AgentRun, journal: Journal, runner: Carrier
) -> bodies.AgentRunMade:
    """Give an agent a task, in the session named or in a new one."""
    if agent_type not in runner.agent_types():
        raise NotFoundError(f"agent {agent_type!r} is not configured")
    if body.session_id is None:
        session = await runner.begin_session(agent_type)
    else:
        session = await journal.get_session(body.session_id)
        if session.agent_type != agent_type:
            raise wrong("sessionId", f"it is one of {session.agent_type}")
    run = await runner.start(session.id, body.task, _config(body))
    return bodies.AgentRunMade(
        run_id=run.id, session_id=session.id, subscribe_url=f"/runs/{run.id}/subscribe"
    )


@ROUTES.get("/runs/{run_id}", responses=answers(404, 422))
async def get_run(run_id: RunId, journal: Journal) -> bodies.RunWithEntries:
    """Return a run with its entries."""
    run = await journal.get_run(run_id)
    entries = await journal.entries(run_id)
    return bodies.RunWithEntries(
        run=bodies.run_body(run), entries=[bodies.entry_body(entry) for entry in entries]
    )


@ROUTES.post("/runs/{run_id}/cancel", responses=answers(404, 409, 422))
async def cancel_run(run_id: RunId, runner: Carrier) -> bodies.RunBody:
    """Stop a run; it fails, and what it did until then is kept."""
    return bodies.run_body(await runner.cancel(run_id))


@ROUTES.get(
    "/runs/{run_id}/subscribe",
    response_class=EventSourceResponse,
    responses=stream_answers(404, 422),
)
async def subscribe(
    request: Request,
    run: TheRun,
    journal: Journal,
    follow: bool = True,
    after: Annotated[int, Query(ge=0, le=MOST)] = 0,
    last_event_id: Annotated[str | None, Header()] = None,
) -> AsyncIterable[ServerSentEvent]:
    """Send each entry as an event, stored ones first, then each new one, and at last the end.

    An event's id is the entry's number: a client that comes back with `Last-Event-ID` (or `after`)
    misses nothing and gets nothing twice. With `follow=false` it ends at what is there.
    """
    items = followed(journal, run.id, after=seen(after, last_event_id), live=follow,
                     leaving=request.app.state.leaving)  # fmt: skip
    async for item in items:
        if isinstance(item, Run):
            yield ServerSentEvent(data=bodies.complete_event(item))
        else:
            yield ServerSentEvent(data=bodies.entry_event(item), id=str(item.sequence_number))


@ROUTES.get("/agents", responses=answers())
async def list_agents(runner: Carrier) -> list[str]:
    """Return the types of agents there are."""
    return list(runner.agent_types())


@ROUTES.get("/health", responses=answers())
async def health() -> dict[str, str]:
    """Say that the server is up."""
    return {"status": "ok"}


def _config(body: bodies.NewRun) -> dict[str, object] | None:
    if body.config is None:
        return None
    return body.config.model_dump(by_alias=True, exclude_none=True)
