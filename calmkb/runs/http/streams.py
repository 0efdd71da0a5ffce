"""A run as it is followed: until its end, until the server leaves, or until the client is gone."""

import asyncio
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

import anyio
from sqlalchemy.exc import SQLAlchemyError

from calmkb.errors import CalmError
from calmkb.model import Run, RunEntry
from calmkb.runs.store.store import RunJournal

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send


async def followed(
    journal: RunJournal, run_id: str, *, after: int, live: bool, leaving: asyncio.Event
) -> AsyncIterator[RunEntry | Run]:
    """Yield what `journal.follow` does; once `leaving` is set, what is there and no more.

    A run that is deleted meanwhile, or a database that goes away, ends it: the client comes back
    with the number of the last entry that it has, and is told then.
    """
    try:
        items = journal.follow(run_id, after=after, live=live)
        while (item := await _unless(leaving, items)) is not None:
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
    leaving: asyncio.Event, items: AsyncIterator[RunEntry | Run]
) -> RunEntry | Run | None:
    """Return the next item, or None where there is none or the server leaves.

    Between two items no task is under way, so there is nothing to clean up after a client.
    """
    left, following = asyncio.create_task(leaving.wait()), asyncio.create_task(_next(items))
    try:
        await asyncio.wait((following, left), return_when=asyncio.FIRST_COMPLETED)
        return following.result() if following.done() else None
    finally:
        left.cancel()
        following.cancel()
        await asyncio.gather(left, following, return_exceptions=True)


async def _next(items: AsyncIterator[RunEntry | Run]) -> RunEntry | Run | None:
    return await anext(items, None)


class Gone:
    """Takes it calmly when a client vanishes that did not read as fast as it was told.

    FastAPI closes the receiving end of its stream before it cancels the sending one, which then
    fails; nobody is there any more to hear of it.
    """

    def __init__(self, app: "ASGIApp") -> None:
        self._app = app

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Pass a request on."""
        try:
            await self._app(scope, receive, send)
        except* anyio.BrokenResourceError:
            pass
