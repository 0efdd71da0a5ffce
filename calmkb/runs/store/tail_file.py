"""Hearing of other processes' writes into a SQLite file, which tells nobody."""

import asyncio
from collections.abc import Callable
from functools import partial

from calmkb.runs.store.database import FileDatabase
from calmkb.runs.store.engines import told_plainly

_SECONDS = 0.02


async def watch_file(
    database: FileDatabase, heard: Callable[[None], None], wanted: Callable[[], bool]
) -> None:
    """Call `heard` at once and whenever another connection has committed, while it is `wanted`.

    `PRAGMA data_version` reads a page of shared memory; it is asked fifty times a second.
    """
    with told_plainly(database.url):
        connection = await database.in_thread(database.connect)
        try:
            ask = partial(connection.exec_driver_sql, "PRAGMA data_version")
            seen = None
            while wanted():
                version = await database.in_thread(lambda: ask().scalar())
                if version != seen:
                    seen = version
                    heard(None)
                await asyncio.sleep(_SECONDS)
        finally:
            connection.close()
