"""The pages for people: sessions, runs, one run live, search, the API, static files."""

from collections.abc import AsyncIterable, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request
from fastapi.responses import FileResponse, HTMLResponse
from fastapi.sse import EventSourceResponse, ServerSentEvent
from starlette.exceptions import HTTPException

from calmkb.templating import templates_dir
from calmkb.wings.runs.http.dependencies import Followed, Journal, Number, RequestedRun, RunnerOf
from calmkb.wings.runs.http.templates import page, render
from calmkb.wings.runs.model import Run, RunEntry

PAGES = APIRouter(include_in_schema=False)
ASSETS = {"runs.css": "text/css", "runs.js": "text/javascript", "calmkb.svg": "image/svg+xml"}
"""The static files that the pages need; no other file is read from the disk."""
_SESSIONS = 25
_ENTRIES = 500
_DEEPEST = 8

Chosen = Annotated[str, Query(pattern=r"^[A-Za-z0-9._-]{0,100}$")]


@PAGES.get("/")
async def sessions(
    journal: Journal, runner: RunnerOf, status: Literal["", "active", "archived"] = "",
    agent: Chosen = "", offset: Number = 0,
) -> HTMLResponse:  # fmt: skip
    """Show sessions, newest first, with their first and last tasks."""
    found = await journal.list_sessions(
        status=status or None, agent_type=agent or None, limit=_SESSIONS + 1, offset=offset
    )
    shown = [(one, await journal.list_runs(one.id)) for one in found[:_SESSIONS]]
    return page(
        "sessions.html.j2", sessions=shown, agents=runner.agent_types(), status=status,
        agent=agent, offset=offset, size=_SESSIONS, more=len(found) > _SESSIONS,
    )  # fmt: skip


@PAGES.get("/sessions/{session_id}/view")
async def session(session_id: str, journal: Journal) -> HTMLResponse:
    """Show a session's runs, in their order."""
    found = await journal.get_session(session_id)
    return page("session.html.j2", session=found, runs=await journal.list_runs(session_id))


@PAGES.get("/runs/{run_id}/view")
async def run(run: RequestedRun, journal: Journal, after: Number | None = None) -> HTMLResponse:
    """Show the last entries of a run, or those above `after`; a script adds new ones."""
    begin = max(0, (await journal.head(run.id)).last - _ENTRIES) if after is None else after
    entries = await journal.entries(run.id, after=begin, limit=_ENTRIES)
    last = entries[-1].sequence_number if entries else begin
    more = bool(await journal.entries(run.id, after=last, limit=1)) and len(entries) == _ENTRIES
    shown = [entry for entry in entries if entry.entry_type != "thinking"]
    return page(
        "run.html.j2", run=run, session=await journal.get_session(run.session_id),
        entries=entries, nodes=arranged(shown),
        begin=begin, earlier=max(0, begin - _ENTRIES), last=last, more=more,
    )  # fmt: skip


@PAGES.get("/runs/{run_id}/view/live", response_class=EventSourceResponse)
async def live(items: Followed) -> AsyncIterable[ServerSentEvent]:
    """Send each new entry as the page shows it, and finally the result of the run."""
    async for item in items:
        yield _event(item)


@PAGES.get("/search/view")
async def search(journal: Journal, q: Annotated[str, Query(max_length=200)] = "") -> HTMLResponse:
    """Show the newest entries that hold every word."""
    return page("search.html.j2", query=q, hits=await journal.search(q))


@PAGES.get("/docs")
async def api(request: Request) -> HTMLResponse:
    """Show the API of `/openapi.json` to people, without scripts from elsewhere."""
    described = request.app.openapi()
    schemas = described["components"]["schemas"]

    def body(operation: dict[str, Any]) -> str:
        asked = operation["requestBody"]["content"]["application/json"]["schema"]
        names = (one.get("$ref", "") for one in (asked, *asked.get("anyOf", ())))
        found = [schemas[name.rsplit("/", 1)[1]]["properties"] for name in names if name]
        return ", ".join(key for keys in found for key in keys)

    return page("api.html.j2", paths=described["paths"], body=body)


@PAGES.get("/static/{name}")
async def asset(name: str) -> FileResponse:
    """Return a style sheet, a script or a picture of our own."""
    if name not in ASSETS:
        raise HTTPException(404, "there is no such file")
    return FileResponse(
        templates_dir() / "runs" / "static" / name,
        media_type=ASSETS[name],
        headers={"cache-control": "no-cache"},
    )


def _event(item: RunEntry | Run) -> ServerSentEvent:
    if isinstance(item, Run):
        return ServerSentEvent(raw_data=render("end.html.j2", run=item), event="end")
    kind = "thinking" if item.entry_type == "thinking" else "entry"
    html = render("entry.html.j2", entry=item, inside="").strip()
    return ServerSentEvent(raw_data=html, event=kind, id=str(item.sequence_number))


@dataclass(slots=True)
class Node:
    """An entry; for a tool call also what was done inside it, and its answer."""

    entry: RunEntry
    inside: list["Node"] = field(default_factory=list)
    answer: RunEntry | None = None


def arranged(entries: Sequence[RunEntry]) -> list[Node]:
    """Return the entries as trees; one whose call is not among them is by itself."""
    top: list[Node] = []
    calls: dict[str, tuple[Node, int]] = {}
    for entry in entries:
        call = str(entry.data.get("toolCallId") or "")
        if entry.entry_type == "tool:complete" and call in calls and not calls[call][0].answer:
            calls[call][0].answer = entry
            continue
        parent, depth = calls.get(str(entry.data.get("parentToolCallId") or ""), (None, 0))
        node = Node(entry)
        (parent.inside if parent and depth < _DEEPEST else top).append(node)
        if entry.entry_type == "tool:starting" and call:
            calls[call] = (node, depth + 1)
    return top
