"""`keep`: copies sessions into the archive before their clients delete them."""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from pathlib import Path

from calmkb.capture.formats.base import Stamp
from calmkb.capture.formats.cleaning import Window
from calmkb.capture.formats.table import session_stamp
from calmkb.capture.history.sources import all_session_files
from calmkb.errors import CalmError, RecordError, TranscriptError
from calmkb.hook import CHILD
from calmkb.kb.base.environment import Environment
from calmkb.kb.base.jobs import Watched, watched
from calmkb.kb.base.knowledge_base import KnowledgeBase, open_kb
from calmkb.kb.imports.session_projects import SessionProjects
from calmkb.model.sessions.archive import KeptSession, KeptTurn
from calmkb.store.local.choices import keeping, may_keep
from calmkb.store.local.forgotten import forgotten
from calmkb.wings.archive.kept.archive import Archive
from calmkb.wings.archive.kept.session_file import append, each_turn, rewrite
from calmkb.wings.archive.kept.session_file import read_session as read_kept
from calmkb.wings.archive.turns.filling import changing, forget, index_session, refresh
from calmkb.wings.archive.turns.schema import open_index
from calmkb.wings.archive.verbs.background import KEPT
from calmkb.wings.archive.verbs.filtering import Known, filtered_session, new_turns
from calmkb.wings.archive.verbs.place import archive_of, is_excluded, text_of_path
from calmkb.wings.archive.verbs.reading import read_session
from calmkb.wings.archive.verbs.room import make_room

ROOM = 20 * 1024 * 1024
"""Bytes of a transcript that are held whole, and kept before the next are read."""


@dataclass
class Kept:
    """What was kept: new sessions, grown ones, turns.

    `left_out` says which files hold no session and why, `faults` what could not be read now but may
    be later: agents and sessions. `dropped` counts sessions that made room. `busy` is True where
    another process keeps sessions at the moment, `ended` where a person switched it off meanwhile,
    or removed what was kept.
    """

    new: int = 0
    grown: int = 0
    turns: int = 0
    dropped: int = 0
    left_out: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    busy: bool = False
    ended: bool = False


def files_below(paths: Iterable[Path]) -> list[Path]:
    """Return the transcripts among files and folders that a person names, each once."""
    found: list[Path] = []
    for path in paths:
        found += sorted(path.rglob("*.jsonl")) if path.is_dir() else [path]
    return list(dict.fromkeys(found))


def keep(
    environment: Environment,
    files: Sequence[Path] | None = None,
    *,
    begun: str | None = None,
    after: float = 0,
    room: int = ROOM,
) -> Kept:
    """Keep the sessions in `files`, else those of all agents; what is kept is not read again.

    Of a larger file `room` bytes are held at once, and kept before it goes on.

    `begun` is the stamp of a person's choice when this was begun, else it is begun now: who
    switches it off or removes what was kept ends it. Of all agents' sessions those that were
    written to `after`, in seconds since 1970, are kept.
    Raises CalmError where a person switched it off, StoreError where the disk refuses: what was
    kept before that stays.
    """
    choice = keeping(environment.own)
    if begun is None and not choice.on:
        raise CalmError("sessions are not kept on this machine; fix: calmkb agents keep --on")
    if environment.env.get(CHILD) == "1":
        return Kept()
    with watched(environment, "keep") as watch:
        begun = choice.stamp if begun is None else begun
        done = _keep(environment, files, begun, after, watch, room)
        watch.faults, watch.idle = done.faults, done.busy or done.ended
    return done


def _keep(
    environment: Environment,
    files: Sequence[Path] | None,
    begun: str,
    after: float,
    watch: Watched,
    room: int,
) -> Kept:
    archive = archive_of(environment)
    with archive.held() as is_ours:
        if not is_ours:
            return Kept(busy=True)
        if not may_keep(environment.own, begun):
            return Kept(ended=True)
        watch.begins()
        with changing(archive), open_index(archive) as db:
            run = _Run(environment, archive, db, begun)
            run.room = room
            refresh(db, archive)
            if files is None:
                run.keep_all_agents(after)
            else:
                run.keep_all(run.stale(files))
            if not run.done.ended:
                limit = keeping(environment.own).limit
                run.done.dropped = make_room(archive, db, limit, environment.now())
        if not run.done.ended:
            (environment.state / KEPT).touch(mode=0o600)
    return run.done


class _Run:
    """One pass: the filter and the projects are made once."""

    def __init__(
        self, environment: Environment, archive: Archive, db: sqlite3.Connection, begun: str
    ) -> None:
        self._environment, self._archive, self._db, self._begun = environment, archive, db, begun
        self.room = ROOM
        self.done = Kept()
        kb: KnowledgeBase = open_kb(environment, option=str(environment.home / ".calm" / "kb"))
        self._filter = kb.redactor
        self._projects = SessionProjects(kb)
        self._is_forgotten = forgotten(environment.own)
        self._rules = self._filter.stamp(with_places=False)

    def keep_all_agents(self, after: float) -> None:
        """Keep what changed of all agents' sessions."""
        environment = self._environment
        paths, self.done.faults = all_session_files(environment.home, environment.env)
        self.keep_all(one for one in self.stale(paths) if one[1].at > after * 10**9)

    def keep_all(self, stale: Iterable[tuple[Path, Stamp]]) -> None:
        """Keep these sessions, those written to last first, until a person ends it."""
        ordered = sorted(stale, key=lambda one: (-one[1].at, one[0]))
        for number, (path, stamp) in enumerate(ordered, 1):
            if self._has_ended():
                return
            self._try(path, stamp)
            self._environment.report("Keeping sessions", number, len(ordered))

    def stale(self, paths: Iterable[Path]) -> Iterator[tuple[Path, Stamp]]:
        """Yield the sessions that must be read, each with its stamp."""
        for path in paths:
            try:
                stamp = session_stamp(path)
            except TranscriptError as error:
                self.done.left_out.append(str(error))
                continue
            if stamp and not self._is_known(path, stamp):
                yield path, stamp

    def _has_ended(self) -> bool:
        self.done.ended = not may_keep(self._environment.own, self._begun)
        return self.done.ended

    def _is_known(self, path: Path, stamp: Stamp) -> bool:
        asked = "SELECT kept FROM sources WHERE path = ? AND stamp = ?"
        values = (text_of_path(path), f"{stamp} {self._rules}")
        known = self._db.execute(asked, values).fetchone()
        if not known or not known[0]:
            return bool(known)
        place = Path(known[0])
        return place.exists() or self._archive.dropped_at(place) >= 0

    def _try(self, path: Path, stamp: Stamp) -> None:
        """Keep one session; one that cannot be read stops no other."""
        kept = ""
        try:
            kept = self._keep(path, stamp)
        except (TranscriptError, RecordError) as error:
            if isinstance(error.__cause__, OSError | sqlite3.Error):  # it may be readable tomorrow
                self.done.faults.append(str(error))
                return
            self.done.left_out.append(str(error))
        if not self.done.ended:
            values = (text_of_path(path), f"{stamp} {self._rules}", kept)
            self._db.execute("REPLACE INTO sources VALUES (?, ?, ?)", values)

    def _keep(self, path: Path, stamp: Stamp) -> str:
        """Keep what is new in one file, and return where; "" of what is forgotten or excluded."""
        window, known, grown, before = Window(room=self.room), Known(), False, self.done.turns
        while True:
            try:
                session, read = read_session(path, self._projects, window)
            except OSError as error:
                raise TranscriptError(f"{path} cannot be read: {error}") from error
            names = (session.name, session.resume_id, session.part_of)
            if any(map(self._is_forgotten, names)) or is_excluded(self._environment, session):
                return ""
            place = self._archive.path(session.agent, session.name)
            if self._archive.dropped_at(place) >= stamp.size:
                return str(place)
            if not known.places:
                grown = bool(known.take(each_turn(place)).places)
            self._write(place, session, read, known)
            if not window.more or self.done.ended:
                self.done.grown += grown and self.done.turns > before
                self.done.new += not grown and self.done.turns > before
                return str(place)
            # A file that is larger than the room is read again, from where what is kept ends; but
            # a secret that an earlier line tells is to be known.
            begin = known.before_late if not known.marked else min(known.before_late, window.last)
            window = Window(begin if begin > window.after else window.last, self.room)

    def _write(
        self, place: Path, session: KeptSession, read: Sequence[KeptTurn], known: Known
    ) -> None:
        turns, again = new_turns(known, partial(each_turn, place), read, self._filter)
        if not turns or self._has_ended():
            return
        before = read_kept(place) if known.places else None
        commits = dict.fromkeys((*(before.commits if before else ()), *session.commits))
        session = filtered_session(replace(session, commits=tuple(commits)), self._filter)
        if again:
            rewrite(place, session, chain(again, turns))
            forget(self._db, place.relative_to(self._archive.folder).as_posix())
        else:
            append(place, session, turns)
        index_session(self._db, self._archive, place)
        self.done.turns += len(turns)
        known.take(turns)
