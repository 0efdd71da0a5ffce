"""What endpoints and pages depend on: the journal, the runner, checked ids."""

from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import Depends, Header, Query, Request

from calmkb.wings.runs.http.streams import followed
from calmkb.wings.runs.model import Run, RunEntry
from calmkb.wings.runs.store.store import RunJournal
from calmkb.wings.runs.verbs.running import KbRunner

MOST = 1_000_000_000  # the highest entry number, and the highest offset of a list
Number = Annotated[int, Query(ge=0, le=MOST)]


def _journal(request: Request) -> Any:
    return request.app.state.journal


def _runner(request: Request) -> Any:
    return request.app.state.runner


Journal = Annotated[RunJournal, Depends(_journal)]
RunnerOf = Annotated[KbRunner, Depends(_runner)]


async def _run(run_id: str, journal: Journal) -> Run:
    return await journal.get_run(run_id)


RequestedRun = Annotated[Run, Depends(_run)]
"""The run that the path names: an unknown one is refused before a stream begins."""


async def _last_seen(
    after: Number = 0, last_event_id: Annotated[str | None, Header()] = None
) -> int:
    text = last_event_id or ""
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0
    return max(after, number)


LastSeen = Annotated[int, Depends(_last_seen)]
"""The number of the last entry that a client has; an invalid id is ignored."""


async def _followed(
    request: Request, run: RequestedRun, journal: Journal, seen: LastSeen, follow: bool = True
) -> AsyncIterator[RunEntry | Run]:
    stopping = request.app.state.stopping
    return followed(journal, run.id, after=seen, live=follow, stopping=stopping)


Followed = Annotated[AsyncIterator[RunEntry | Run], Depends(_followed)]
"""What a client that follows a run has not seen yet, until the run or the server ends."""
