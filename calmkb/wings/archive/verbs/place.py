"""Where the archive of this machine is, and its index as a reader needs it.

A search loads this alone: the filter and the readers of transcripts take three times as long.
"""

import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from calmkb.kb.base.environment import Environment
from calmkb.model.sessions.archive import KeptSession
from calmkb.store.local.choices import keeping
from calmkb.wings.archive.kept.archive import Archive
from calmkb.wings.archive.turns.schema import is_complete, open_index


def archive_of(environment: Environment) -> Archive:
    """Return the archive of this machine."""
    return Archive(environment.state)


@contextmanager
def current_index(environment: Environment, archive: Archive) -> Iterator[sqlite3.Connection]:
    """Give the index, brought up to date where it is missing or a killed run left it behind."""
    is_current = is_complete(archive)
    with open_index(archive) as db:
        if not is_current:
            from calmkb.wings.archive.turns.filling import refresh

            refresh(db, archive, lambda done, of: environment.report("Indexing sessions", done, of))
        yield db


def is_excluded(environment: Environment, session: KeptSession) -> bool:
    """Return whether a person excluded the project of a session, or its folder."""
    excluded, places = keeping(environment.own).excluded, [Path(session.folder)]
    if excluded and session.folder:
        with suppress(OSError, ValueError):  # it may not be looked at, or is no path
            places.append(Path(os.path.realpath(session.folder)))
    return any(
        one.casefold() == session.project.casefold() or any(at.is_relative_to(one) for at in places)
        for one in excluded
    )


def text_of_path(path: Path) -> str:
    """Return a path as text: a name on disk can be none."""
    return os.fsencode(path).decode(errors="replace")


def not_kept(environment: Environment, files: Iterable[Path]) -> list[Path]:
    """Return those of the clients' files that were never looked at to be kept."""
    archive = archive_of(environment)
    if not archive.folder.is_dir():
        return list(files)
    with current_index(environment, archive) as db:
        known = {path for (path,) in db.execute("SELECT path FROM sources")}
    return [path for path in files if text_of_path(path) not in known]
