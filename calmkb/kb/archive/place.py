"""Where the archive of this machine is, and its index as a reader needs it.

A search loads this alone: the filter and the readers of transcripts take three times as long.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from calmkb.kb.base.environment import Environment
from calmkb.store.archive.archive import Archive
from calmkb.store.turns.schema import is_complete, open_index


def archive_of(environment: Environment) -> Archive:
    """Return the archive of this machine."""
    return Archive(environment.state)


@contextmanager
def current_index(environment: Environment, archive: Archive) -> Iterator[sqlite3.Connection]:
    """Give the index, brought up to date where it is missing or a killed run left it behind."""
    if is_complete(archive):
        with open_index(archive) as db:
            yield db
        return
    from calmkb.store.turns.filling import refresh

    with open_index(archive, write=True) as db:
        refresh(db, archive, lambda done, of: environment.report("Indexing sessions", done, of))
        yield db
