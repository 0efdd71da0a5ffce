"""A run as it is followed: until its end, or until the server leaves."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing

from sqlalchemy.exc import SQLAlchemyError

from calmkb.errors import CalmError
from calmkb.model import Run, RunEntry
from calmkb.runs.base import RunJournal


async def followed(
    journal: RunJournal, run_id: str, *, after: int, live: bool, leaving: asyncio.Event
) -> AsyncGenerator[RunEntry | Run]:
    """Yield what `journal.follow` does; once `leaving` is set, what is there and no more.

    A run that is deleted meanwhile, or a database that goes away, ends it: the client comes back
    with the number of the last entry that it has, and is told then.
    """
    try:
        live_ones = _until(leaving, journal.follow(run_id, after=after, live=live))
        async with aclosing(live_ones):
            async for item in live_ones:
                yield item
                if isinstance(item, Run):
                    return
                after = item.sequence_number
        if live:
            async for item in journal.follow(run_id, after=after, live=False):
                yield item
    except (CalmError, SQLAlchemyError, OSError):
        return


async def _until(
    leaving: asyncio.Event, items: AsyncIterator[RunEntry | Run]
) -> AsyncGenerator[RunEntry | Run]:
    left = asyncio.create_task(leaving.wait())
    following = None
    try:
        while True:
            following = asyncio.create_task(_next(items))
            await asyncio.wait((following, left), return_when=asyncio.FIRST_COMPLETED)
            if not following.done() or (item := following.result()) is None:
                return
            yield item
    finally:
        tasks = [task for task in (left, following) if task]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if isinstance(items, AsyncGenerator):
            await items.aclose()


async def _next(items: AsyncIterator[RunEntry | Run]) -> RunEntry | Run | None:
    return await anext(items, None)
