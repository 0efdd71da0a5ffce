"""The index: lists, filters, counts and search without reading every record.

The work tree's Markdown is the only truth. Each call first brings the index up to date with it
(see `index_watch`); an index that is missing, broken or of another version is rebuilt, and
where none can be kept, one in memory answers.
"""

import contextlib
import os
import sqlite3
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from calmkb.store.git.refs import branch_moved
from calmkb.store.index import schema as index_schema
from calmkb.store.index import watch as index_watch
from calmkb.store.index.head import absent_problem, not_checked_out

if TYPE_CHECKING:
    from calmkb.model import Problem

T = TypeVar("T")
Report = Callable[[int, int], None]
"""Called with records read and records to read; the second is 0 until it is known."""
MEMORY = ":memory:"
RESTORED = "HEAD"
"""The path of the problem that says what was just restored; nothing is wrong any more."""
_BROKEN = (sqlite3.Error, ValueError, TypeError, LookupError)
"""What a damaged file can lead to, once SQLite itself finds no fault in it."""


class Index:
    """An index that was brought up to date with `journal`."""

    def __init__(
        self,
        db: sqlite3.Connection,
        journal: Path,
        *,
        watched: int,
        notice: str = "",
        report: Report | None = None,
    ) -> None:
        self.db = db
        self._report = report
        self._notice = notice
        self._journal, self._watched = journal, watched
        self._base = f"{journal}/"

    def refresh(self, *, look_at_all: bool = False) -> None:
        """Read into the index what changed in the work tree since it was last brought up to date.

        All files are looked at with `look_at_all`, and once in an hour.
        """
        if index_schema.has_tables(self.db) and not any(self._changes(look_at_all)):
            return
        with index_schema.writing(self.db):
            # Another process may have done the work while this one waited for the lock.
            if not index_schema.has_tables(self.db):
                index_schema.make_tables(self.db)
            folders, files, looked = self._changes(look_at_all)
            if folders or files or looked:
                # The readers of records cost more to load than all that a list needs.
                from calmkb.store.index.refresh import Refresh

                Refresh(self.db, self._journal, self._report).run(folders, files)
                watch = index_watch.load(self.db)
                index_watch.save(self.db, self._watched, looked or (watch.looked if watch else 0))

    def verify(self, rows: Sequence[int]) -> bool:
        """Say whether the files of `rows` are as they were read; else read them again."""
        asked = "SELECT path, signature FROM files WHERE row = ?"
        kept = [self.db.execute(asked, (row,)).fetchone() for row in rows]
        stale = [path for path, known in kept if not self._is_unchanged(path, known)]
        if stale:
            from calmkb.store.index.refresh import Refresh

            with index_schema.writing(self.db):
                Refresh(self.db, self._journal).run([], stale)
        return not stale

    def problems(self) -> "tuple[Problem, ...]":
        """Return the files that could not be read, in path order, and what was just repaired."""
        asked = "SELECT path, line, message FROM problems JOIN files USING (row)"
        rows = sorted(self.db.execute(asked).fetchall())
        rows += [(RESTORED, 1, self._notice)] if self._notice else []
        absent = self._absent()
        if not rows:
            return absent
        from calmkb.model import Problem

        return (*(Problem(*row) for row in rows), *absent)

    def _absent(self) -> "tuple[Problem, ...]":
        """Return the problem of what git has and the work tree lacks."""
        git_dir = index_schema.git_directory(self._journal)
        if git_dir is None or not (git_dir / "index").exists():
            return ()
        return absent_problem(not_checked_out(self.db, self._journal, git_dir))

    def _changes(self, look_at_all: bool) -> tuple[list[str], list[str], int]:
        """Return changed folders, changed files, and the time if all files were looked at."""
        watch = index_watch.load(self.db)
        now = int(time.time())
        if watch is None:
            return [""], [], now
        folders = index_watch.changed(self._base, watch.folders, os.stat)
        files, looked = watch.files, 0
        due = not 0 <= now - watch.looked < index_watch.LOOK_AGAIN
        if not watch.complete and (look_at_all or due):
            files, looked = index_watch.load_all_files(self.db), now
        return folders, index_watch.changed(self._base, files, os.lstat), looked

    def _is_unchanged(self, path: str, known: int) -> bool:
        try:
            return index_watch.signature(os.lstat(self._base + path)) == known
        except OSError:
            return False


def with_index(
    journal: Path,
    ask: Callable[[Index], T],
    *,
    look_at_all: bool = False,
    watched: int = index_watch.WATCHED,
    notice: str = "",
    report: Report | None = None,
) -> T:
    """Return what `ask` finds in an up-to-date index of `journal`.

    A broken index is thrown away and built once more; then, or where the git directory cannot be
    written, an index in memory answers: a plain scan, slow and right. `report` is called with
    the number of records read; `notice` is a problem beside those of the records.
    """
    opened: dict[str, Any] = {"watched": watched, "notice": notice, "report": report}
    place = index_schema.index_path(journal) if journal.is_dir() else None
    for path in (place, place) if place else ():
        try:
            return _ask(path, journal, ask, look_at_all=look_at_all, **opened)
        except _BROKEN as error:
            if not index_schema.discard(path, error):
                break
    return _ask(MEMORY, journal, ask, look_at_all=False, **opened)


def finish_interrupted(journal: Path) -> str:
    """Bring in what a killed writer committed and did not put into the work tree, and what a
    commit beside ours lost, and take its lock away; return a message on that, or ""."""
    git_dir = index_schema.git_directory(journal) if journal.is_dir() else None
    if git_dir is None:
        return ""
    folder = git_dir / "calmkb"
    left = (folder / "spool" / "intent", git_dir / "index.lock", *folder.glob("locking-*"))
    if not any(path.exists() for path in left) and not branch_moved(git_dir):
        return ""
    from calmkb.store.commits.commit import recover
    from calmkb.store.git.repository import find_repository

    repository = find_repository(journal)
    return recover(repository) if repository else ""


def _ask(
    path: str, journal: Path, ask: Callable[[Index], T], *, look_at_all: bool, **opened: Any
) -> T:
    with contextlib.closing(index_schema.connect(path)) as db:
        index_schema.check_version(db)
        index = Index(db, journal, **opened)
        index.refresh(look_at_all=look_at_all)
        return ask(index)
