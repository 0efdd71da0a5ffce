"""The command line in a real repository, as a person uses it."""

import contextlib
import sqlite3
from collections.abc import Callable

from tests.cli.conftest import Said, cli, project

__all__ = ["Said", "cli", "project"]


def list_until_settled(place: str, look: Callable[[], object]) -> None:
    """Have an index look until it trusts what it saw: younger than a tick, a file is read again.

    Nothing sets the time back that counts here, at which a file's node was changed.
    """
    unsettled = 1
    while unsettled:
        look()
        with contextlib.closing(sqlite3.connect(place)) as db:
            asked = "SELECT signature FROM files UNION ALL SELECT signature FROM folders"
            unsettled = sum(not kept for (kept,) in db.execute(asked))
