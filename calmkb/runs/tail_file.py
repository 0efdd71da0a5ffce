"""Hearing of other processes' writes into a SQLite file, which tells nobody."""

import asyncio
from collections.abc import Callable

from sqlalchemy.ext.asyncio import AsyncEngine

from calmkb.runs.engines import reading, told_plainly

_SECONDS = 0.03


async def watch_file(
    engine: AsyncEngine, heard: Callable[[None], None], wanted: Callable[[], bool]
) -> None:
    """Call `heard` at once and whenever another connection has committed, while it is `wanted`.

    `PRAGMA data_version` reads a page of shared memory; it is asked some thirty times a second.
    """
    with told_plainly(engine.url):
        async with reading(engine).connect() as connection:
            seen = None
            while wanted():
                version = (await connection.exec_driver_sql("PRAGMA data_version")).scalar()
                if version != seen:
                    seen = version
                    heard(None)
                await asyncio.sleep(_SECONDS)
