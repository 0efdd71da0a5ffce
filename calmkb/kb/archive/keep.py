"""`keep`: copies sessions into the archive before their clients delete them."""

import contextlib
import sqlite3
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from calmkb.capture.history.sources import SESSION_SOURCES, history_files
from calmkb.errors import CalmError, RecordError, StoreError, TranscriptError
from calmkb.hook import CHILD
from calmkb.kb.archive.background import KEPT
from calmkb.kb.archive.filtering import filtered_session, new_turns
from calmkb.kb.archive.place import archive_of
from calmkb.kb.archive.prompts import keep_prompts
from calmkb.kb.archive.reading import read_session
from calmkb.kb.archive.room import make_room
from calmkb.kb.base.environment import Environment
from calmkb.kb.base.knowledge_base import KnowledgeBase, open_kb
from calmkb.kb.imports.session_projects import SessionProjects
from calmkb.model.sessions.archive import KeptSession, KeptTurn
from calmkb.store.archive.archive import Archive
from calmkb.store.archive.session_file import append, read_turns, rewrite
from calmkb.store.local.keeping_choice import read_choice
from calmkb.store.turns.filling import changing, forget, index_session, refresh
from calmkb.store.turns.schema import open_index

_TRIES, _PAUSE = 150, 0.2
"""How often, and how many seconds apart, a removal looks whether another process has ended."""


@dataclass
class Kept:
    """What was kept: new sessions, grown ones, turns, prompts of sessions already deleted.

    `left_out` says what could not be read and why; `dropped` counts sessions that made room.
    `busy` is True where another process keeps sessions at the moment.
    """

    new: int = 0
    grown: int = 0
    turns: int = 0
    recovered: int = 0
    dropped: int = 0
    left_out: list[str] = field(default_factory=list)
    busy: bool = False


def client_files(environment: Environment) -> list[Path]:
    """Return the transcripts of all agents on this machine, those written to last first."""
    found: list[Path] = []
    for source in SESSION_SOURCES:
        with contextlib.suppress(TranscriptError):
            found += history_files(source, None, environment.home, environment.env)
    return sorted(found, key=lambda path: (-path.stat().st_mtime_ns, str(path)))


def files_below(paths: Iterable[Path]) -> list[Path]:
    """Return the transcripts among files and folders that a person names."""
    found: list[Path] = []
    for path in paths:
        found += sorted(path.rglob("*.jsonl")) if path.is_dir() else [path]
    return found


def keep(environment: Environment, files: Sequence[Path] | None = None) -> Kept:
    """Keep the sessions in `files`, else those of all agents; what is kept is not read again.

    Raises CalmError where a person switched it off, StoreError where the disk refuses: what was
    kept before that stays.
    """
    choice = read_choice(environment.state)
    if not choice.on:
        raise CalmError("sessions are not kept on this machine; switch it on: calmkb keep --on")
    done = Kept()
    if environment.env.get(CHILD) == "1":
        return done
    archive = archive_of(environment)
    with archive.held() as is_ours:
        if not is_ours:
            done.busy = True
            return done
        with changing(archive), open_index(archive, write=True) as db:
            run = _Run(environment, archive, db, done)
            refresh(db, archive)
            paths = client_files(environment) if files is None else list(files)
            run.keep_all(paths)
            if files is None:
                done.recovered = keep_prompts(environment, archive, db, run.filter_)
            done.dropped = make_room(archive, db, choice.limit, environment.now())
        (environment.state / KEPT).touch(mode=0o600)
    return done


class _Run:
    """One pass: the filter and the projects are made once."""

    def __init__(
        self, environment: Environment, archive: Archive, db: sqlite3.Connection, done: Kept
    ) -> None:
        self._environment, self._archive, self._db, self._done = environment, archive, db, done
        kb: KnowledgeBase = open_kb(environment, option=str(environment.home / ".calm" / "kb"))
        self.filter_ = kb.redactor()
        self._projects = SessionProjects(kb)
        self._rules = self.filter_.stamp(with_places=False)

    def keep_all(self, paths: Iterable[Path]) -> None:
        """Keep each file that has changed since it was kept."""
        stale = [(path, stamp) for path in paths if (stamp := self._stale(path))]
        for number, (path, stamp) in enumerate(stale, 1):
            kept = ""
            try:
                kept = str(self._keep(path))
            except (TranscriptError, RecordError) as error:
                self._done.left_out.append(str(error))
            self._db.execute("REPLACE INTO sources VALUES (?, ?, ?)", (str(path), stamp, kept))
            self._environment.report("Keeping sessions", number, len(stale))

    def _stale(self, path: Path) -> str:
        """Return the stamp of a file that must be read, "" where what is kept is up to date."""
        try:
            status = path.stat()
        except OSError:
            return ""
        stamp = f"{status.st_mtime_ns} {status.st_size} {status.st_ino} {self._rules}"
        asked = "SELECT kept FROM sources WHERE path = ? AND stamp = ?"
        known = self._db.execute(asked, (str(path), stamp)).fetchone()
        return "" if known and (not known[0] or self._is_there(Path(known[0]))) else stamp

    def _is_there(self, place: Path) -> bool:
        return place.exists() or self._archive.dropped_at(place) >= 0

    def _keep(self, path: Path) -> Path:
        """Keep what is new in one file, and return where it is kept."""
        session, read = read_session(path, self._projects)
        place = self._archive.path(session.agent, session.name)
        if self._archive.dropped_at(place) >= path.stat().st_size:
            return place
        kept = read_turns(place) if place.exists() else ()
        turns, is_all = new_turns(kept, read, self.filter_)
        if turns:
            self._write(place, filtered_session(session, self.filter_), turns, whole=is_all)
            self._done.new += not kept
            self._done.grown += bool(kept)
            self._done.turns += len(turns)
        return place

    def _write(
        self, place: Path, session: KeptSession, turns: list[KeptTurn], *, whole: bool
    ) -> None:
        if whole:
            rewrite(place, session, turns)
            forget(self._db, place.relative_to(self._archive.folder).as_posix())
        else:
            append(place, session, turns)
        index_session(self._db, self._archive, place)


def remove_archive(environment: Environment) -> int:
    """Remove all that was kept, its index too; return how many sessions there were.

    Waits for a process that keeps sessions; StoreError where it takes longer than half a minute.
    """
    archive = archive_of(environment)
    for _ in range(_TRIES):
        with archive.held() as is_ours:
            if is_ours:
                return _removed(archive)
        time.sleep(_PAUSE)
    raise StoreError(f"{archive.folder} is being written to; try again in a minute")


def _removed(archive: Archive) -> int:
    import shutil

    count = len(archive.files())
    for place in archive.folder.iterdir():
        if place.is_dir() and not place.is_symlink():
            shutil.rmtree(place)
        elif place.name != ".lock":
            place.unlink()
    return count
