"""Following a run: until its end, until the server stops, or until the client is gone."""

import asyncio
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

import anyio
from sqlalchemy.exc import SQLAlchemyError

from calmkb.errors import CalmError
from calmkb.wings.runs.model import Run, RunEntry
from calmkb.wings.runs.store.store import RunJournal

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send


async def followed(
    journal: RunJournal, run_id: str, *, after: int, live: bool, stopping: asyncio.Event
) -> AsyncIterator[RunEntry | Run]:
    """Yield what `journal.follow` does; once `stopping` is set, only the stored entries.

    A deleted run or a lost database ends the stream: the client reconnects with the number of its
    last entry, and gets the error then.
    """
    try:
        items = journal.follow(run_id, after=after, live=live)
        while (item := await _unless(stopping, items)) is not None:
            yield item
            if isinstance(item, Run):
                return
            after = item.sequence_number
        if live:
            async for item in journal.follow(run_id, after=after, live=False):
                yield item
    except (CalmError, SQLAlchemyError, OSError):
        return


async def _unless(
    stopping: asyncio.Event, items: AsyncIterator[RunEntry | Run]
) -> RunEntry | Run | None:
    """Return the next item, or None where there is none or the server stops.

    Between two items no task is under way, so there is nothing to clean up after a client.
    """
    stopped = asyncio.create_task(stopping.wait())
    following = asyncio.ensure_future(anext(items, None))
    try:
        await asyncio.wait((following, stopped), return_when=asyncio.FIRST_COMPLETED)
        return following.result() if following.done() else None
    finally:
        stopped.cancel()
        following.cancel()
        await asyncio.gather(stopped, following, return_exceptions=True)


def ignore_lost_clients(app: "ASGIApp") -> "ASGIApp":
    """Ignore the error of a client that disconnects while its stream is being written.

    FastAPI closes the receiving end of its stream before it cancels the sending one, which then
    fails.
    """

    async def answer(scope: "Scope", receive: "Receive", send: "Send") -> None:
        try:
            await app(scope, receive, send)
        except* anyio.BrokenResourceError:
            pass

    return answer
