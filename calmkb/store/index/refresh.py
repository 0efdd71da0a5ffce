"""Brings an index up to date with the work tree: only folders and files that changed are read."""

import json
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

from calmkb.documents import kind_of
from calmkb.model import Entry, Improvement, Memory, Problem, Record, Reflection, recorded_project
from calmkb.model.sessions.entries import is_written, session_key
from calmkb.store.index import watch as index_watch
from calmkb.store.index.listing import Listing, list_folder, signature_of
from calmkb.store.index.records import pack, texts_of
from calmkb.store.index.schema import has_full_text, mark, microseconds
from calmkb.store.journal import is_record_place, read_record, why_not_read

_REPORTED = 500  # records between two reports of how far a refresh is


class Refresh:
    """One refresh inside an open transaction.

    `touched` gathers whose reflection may differ, `sessions` which of their entries is the newest.
    """

    def __init__(
        self,
        db: sqlite3.Connection,
        journal: Path,
        report: Callable[[int, int], None] | None = None,
    ) -> None:
        self._report, self._done = report, 0
        self._db, self._journal = db, journal
        self._base = f"{journal}/"
        self._full_text = has_full_text(db)
        self._touched: set[str] = set()
        self._sessions: set[str] = set()

    def run(self, folders: list[str], files: list[str]) -> None:
        """Read what changed in `folders` (listed again) and `files` (known ones) into the index."""
        self._relist(folders)
        for path in files:
            self._look_at(path)
        self._gather()
        # Point each touched session's entries to the one that is shown: the newest words.
        self._db.executemany(
            "UPDATE records SET successor = nullif((SELECT row FROM records WHERE session = :key "
            "ORDER BY written DESC, created DESC, id DESC, path DESC LIMIT 1), row) "
            "WHERE session = :key",
            [{"key": key} for key in sorted(self._sessions)],
        )
        self._link()
        self._inherit()
        if self._report:
            done = self._done or 1  # 0 of 0 would be a step that goes on
            self._report(done, done)

    def _relist(self, folders: list[str]) -> None:
        """List folders again, parents first: what is below one that is gone goes with it."""
        waiting = sorted(folders, reverse=True)
        while waiting:
            path = waiting.pop()
            if path and not self._column("SELECT path FROM folders WHERE path = ?", path):
                continue
            listing = list_folder(self._journal, path)
            if listing is None:
                self._drop_folder(path)
                continue
            self._db.execute("REPLACE INTO folders VALUES (?, ?)", (path, listing.signature))
            waiting += self._new_folders(path, listing)
            self._compare_files(path, listing)

    def _new_folders(self, path: str, listing: Listing) -> list[str]:
        """Return the subfolders that were not known, entered; drop those that are gone."""
        start, end = _below(path)
        asked = "SELECT path FROM folders WHERE path > ? AND path < ?"
        known = {name for name in self._column(asked, start, end) if "/" not in name[len(start) :]}
        for gone in known - set(listing.folders):
            self._drop_folder(gone)
        new = [name for name in listing.folders if name not in known]
        entered = [(name, index_watch.UNTRUSTED) for name in new]
        self._db.executemany("INSERT INTO folders VALUES (?, ?)", entered)
        return new

    def _drop_folder(self, path: str) -> None:
        inside = _below(path)
        asked = "DELETE FROM folders WHERE path = ? OR (path > ? AND path < ?)"
        self._db.execute(asked, (path, *inside))
        asked = "SELECT path, row FROM files WHERE path > ? AND path < ?"
        for gone, row in self._db.execute(asked, inside).fetchall():
            self._drop_file(gone, row)

    def _compare_files(self, folder: str, listing: Listing) -> None:
        asked = "SELECT path, row, signature FROM files WHERE folder = ?"
        known = {path: (row, kept) for path, row, kept in self._db.execute(asked, (folder,))}
        for path in sorted(known.keys() - listing.files.keys()):
            self._drop_file(path, known[path][0])
        for path, seen in sorted(listing.files.items()):
            row, kept = known.get(path, (0, 0))
            if seen == index_watch.UNTRUSTED or kept != seen:
                self._read(folder, path, seen, listing.problems.get(path, ""), row)

    def _look_at(self, path: str) -> None:
        """Read a known file again, if it is still known and there.

        What was refused as a folder or a link is looked at with the folder it is in.
        """
        why = why_not_read(path)
        if not why and not is_record_place(path):
            return
        now = index_watch.clock()
        known = self._db.execute("SELECT row, folder FROM files WHERE path = ?", (path,)).fetchone()
        try:
            status = os.lstat(self._base + path)
        except OSError:
            return  # its folder has changed too, and tells
        if known:
            self._read(known[1], path, signature_of(status, now), why, known[0])

    def _read(self, folder: str, path: str, signature: int, refused: str, known: int) -> None:
        """Read a file into the index, in place of the row `known` if that is not 0."""
        if known:
            self._drop(known)
        done = self._db.execute(
            "INSERT INTO files (path, folder, signature) VALUES (?, ?, ?)",
            (path, folder, signature),
        )
        row = done.lastrowid or 0
        self._done += 1
        if self._report and self._done % _REPORTED == 0:
            self._report(self._done, 0)
        found, characters = (
            (Problem(path, 1, refused), 0) if refused else read_record(self._journal, path)
        )
        if isinstance(found, Problem):
            self._db.execute(
                "INSERT INTO problems VALUES (?, ?, ?)", (row, found.line, found.message)
            )
        else:
            self._keep(row, path, found, characters)

    def _keep(self, row: int, path: str, record: Record, characters: int) -> None:
        project, repository, directory = _place(record)
        moment = microseconds(record.created_at)
        known = (row, kind_of(path) or "", record.id, moment, path, project, repository, directory)
        session = session_key(record) if isinstance(record, Entry) else None
        written = is_written(record) if isinstance(record, Entry) and session else None
        values = (*known, None, characters, pack(record), session, written, None)
        asked = f"INSERT INTO records VALUES ({', '.join('?' * len(values))})"  # noqa: S608
        self._db.execute(asked, values)
        if self._full_text:
            marks = f"{mark('kind', known[1])} {mark('project', project)}"
            asked = "INSERT INTO texts (rowid, title, friction, rest, marks) VALUES (?, ?, ?, ?, ?)"
            self._db.execute(asked, (row, *texts_of(record), marks))
        if isinstance(record, Entry):
            self._touched.add(record.id)
        if session:
            self._sessions.add(session)
        if isinstance(record, Reflection):
            self._touched.update(record.entries)
            pairs = [(entry, row) for entry in record.entries]
            self._db.executemany("INSERT INTO covers VALUES (?, ?)", pairs)

    def _drop_file(self, path: str, row: int) -> None:
        """Forget a file that is gone; git may have it still (see `index_head`)."""
        self._drop(row)
        if is_record_place(path):
            self._db.execute("INSERT OR IGNORE INTO absent VALUES (?)", (path,))

    def _drop(self, row: int) -> None:
        self._touched |= self._column("SELECT entry FROM covers WHERE row = ?", row)
        asked = "SELECT session FROM records WHERE row = ? AND session IS NOT NULL"
        self._sessions |= self._column(asked, row)
        for table in ("files", "problems", "records", "covers"):
            self._db.execute(f"DELETE FROM {table} WHERE row = ?", (row,))  # noqa: S608
        if self._full_text:
            self._db.execute("DELETE FROM texts WHERE rowid = ?", (row,))

    def _column(self, asked: str, *values: str | int) -> set[str]:
        return {value for (value,) in self._db.execute(asked, values)}

    def _gather(self) -> None:
        """Add the sessions of touched entries, and the entries of touched sessions."""
        asked = (
            "SELECT session FROM records "
            "WHERE id IN (SELECT value FROM json_each(?)) AND session IS NOT NULL"
        )
        self._sessions |= self._column(asked, json.dumps([*self._touched]))
        asked = "SELECT id FROM records WHERE session IN (SELECT value FROM json_each(?))"
        self._touched |= self._column(asked, json.dumps([*self._sessions]))

    def _link(self) -> None:
        """Give each touched entry the first reflection that lists it: later ones change nothing."""
        self._db.executemany(
            # CROSS JOIN and the unary plus make SQLite begin with the few rows of one entry.
            "UPDATE records SET reflection = (SELECT r.row FROM covers c CROSS JOIN records r "
            "ON r.row = c.row WHERE c.entry = :entry ORDER BY r.created, r.id, r.path LIMIT 1) "
            "WHERE id = :entry AND +kind = 'session'",
            [{"entry": entry} for entry in sorted(self._touched)],
        )

    def _inherit(self) -> None:
        """Give newer words that add nothing to decide on the reflection of those they replace."""
        asked = (
            "SELECT row, reflection, record FROM records WHERE session = ? "
            "ORDER BY successor IS NULL, created"
        )
        several = self._column("SELECT session FROM records WHERE successor IS NOT NULL")
        for key in sorted(self._sessions & several):
            *older, newest = self._db.execute(asked, (key,)).fetchall()
            covered = [one for one in older if one[1]]
            known = set().union(*(_lessons(record) for _, _, record in covered))
            if covered and not newest[1] and _lessons(newest[2]) <= known:
                values = covered[0][1], newest[0]
                self._db.execute("UPDATE records SET reflection = ? WHERE row = ?", values)


def _lessons(record: str) -> set[str]:
    """Return what a reflection decides on in a packed entry."""
    fields = json.loads(record)
    return {*fields["friction_points"], *fields["learnings"]}


def _below(folder: str) -> tuple[str, str]:
    """Return what every path below `folder` lies between; `0` follows `/`."""
    return (f"{folder}/", f"{folder}0") if folder else ("", "\U0010ffff")


def _place(record: Record) -> tuple[str, str, str]:
    """Return the project and the repository, in the form that is compared, and the folder."""
    if isinstance(record, Entry):
        folder = record.working_directory
        project = recorded_project(record.project_name, record.repository, folder)
        return project.casefold(), record.repository.casefold(), folder
    if isinstance(record, Improvement):
        return record.project.casefold(), "", ""
    return (record.scope.casefold() if isinstance(record, Memory) else ""), "", ""
