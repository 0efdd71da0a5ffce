"""Turns what hooks queued, and transcripts, into signals.

The readers and the filter take ten times as long to import as a look at a queue that holds only
stops of running sessions: they are imported where something is read.
"""

import contextlib
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from calmkb.capture.hooks.payload import text_of
from calmkb.errors import CalmError, NotFoundError, RecordError
from calmkb.store.local.forgotten import forgotten
from calmkb.store.local.sessions import EndedSession, note_ended
from calmkb.store.signals.ids import stamp
from calmkb.store.signals.queue import Payload, waiting
from calmkb.store.signals.store import SignalStore
from calmkb.system.files import disk_told, make_private_folder
from calmkb.system.locking import exclusive

if TYPE_CHECKING:
    from calmkb.capture.formats.turns import Transcript
    from calmkb.capture.hooks.signals import Fields
    from calmkb.model import Signal

LAST_TURNS = 200
"""Turns that are read before a compaction, while an agent waits; at the end, all are."""
_BATCH = 200
# A session that has been silent for so long is over, though no end was reported.
_SILENT = 6 * 3600
_SECONDS = 20.0


def absorb_queue(store: SignalStore, now: datetime, *, seconds: float = _SECONDS) -> int:
    """Make signals of what hooks queued; return how many are new.

    A file goes only once its signals are on disk; killed between, their keys keep them from being
    kept twice. What is left after `seconds` waits for the next call. Raises StoreError where the
    disk refuses; then the queue stays.
    """
    folder = store.folder / "queue"
    if not folder.is_dir():
        return 0
    with exclusive(folder, seconds=10) as is_ours:
        if not is_ours:
            return 0
        run = _Run(store, folder, now, time.monotonic() + seconds)
        for payload in waiting(folder, now.timestamp()):
            run.take(payload)
            if time.monotonic() > run.deadline:
                break
        run.flush()
        run.finish_silent_sessions()
        return run.new


@dataclass
class _Run:
    """One pass over the queue: what is to be kept, and the sessions that may be over."""

    store: SignalStore
    folder: Path
    now: datetime
    deadline: float
    new: int = 0
    fields: "list[Fields]" = field(default_factory=list)
    taken: list[Payload] = field(default_factory=list)
    stops: dict[str, Payload] = field(default_factory=dict)
    ended: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.is_forgotten = forgotten(self.store.folder)

    def take(self, payload: Payload) -> None:
        """Read one payload; what is not ours, or of a session that is forgotten, is dropped."""
        if self.is_forgotten(text_of(payload.fields, "session_id")):
            payload.done()
            return
        if payload.fields and payload.event == "Stop":
            self._stopped(payload)
        else:
            self._keep(payload, self._read(payload))

    def _read(self, payload: Payload) -> "list[Fields]":
        """Return what a payload says; one that cannot be read must not hold up those behind it."""
        from calmkb.capture.hooks.signals import failure_fields
        from calmkb.capture.hooks.transcripts import is_automated

        given = payload.fields
        try:
            clean = cleaner(self.store, text_of(given, "cwd"))
            if payload.event == "PostToolUseFailure":
                is_programs = is_automated(Path(text_of(given, "transcript_path")))
                fields = None if is_programs else failure_fields(given, payload.raw, clean)
                at = {"timestamp": stamp(datetime.fromtimestamp(payload.at, UTC))}
                return [fields | at] if fields else []
            if payload.event in ("SessionEnd", "Stop"):
                self.ended.add(text_of(given, "session_id"))
                return _ended(payload, self.folder, clean)
        except (CalmError, OSError, ValueError, RecursionError):
            return []
        return []

    def _stopped(self, payload: Payload) -> None:
        """Remember the last stop of each session alone: it includes the ones before."""
        session = text_of(payload.fields, "session_id")
        if before := self.stops.get(session):
            before.done()
        self.stops[session] = payload

    def finish_silent_sessions(self) -> None:
        """Sum up sessions that ended without a report; keep the stop of those that may go on."""
        for session, payload in self.stops.items():
            if session in self.ended:
                payload.done()
            elif payload.at < self.now.timestamp() - _SILENT and time.monotonic() < self.deadline:
                self._keep(payload, self._read(payload))
        self.flush()

    def _keep(self, payload: Payload, found: "list[Fields]") -> None:
        self.fields += [fields for fields in found if not _renewed(self.store, fields)]
        self.taken.append(payload)
        if len(self.taken) >= _BATCH:
            self.flush()

    def flush(self) -> None:
        """Keep what was read, and only then forget the files it came in."""
        self.new += len(_append(self.store, self.fields, self.now))
        for payload in self.taken:
            payload.done()
        self.fields, self.taken = [], []


def capture_transcript(store: SignalStore, path: Path, session_id: str, now: datetime) -> int:
    """Keep what the last turns of a person's session teach; return how many signals are new.

    Raises TranscriptError where there is no conversation, StoreError where the disk refuses.
    """
    from calmkb.capture.hooks.transcripts import is_automated, read_bounded

    if forgotten(store.folder)(session_id) or is_automated(path):
        return 0
    scratch = store.folder / "queue"
    with disk_told(f"read {path}"):
        make_private_folder(scratch)
        transcript, _ = read_bounded(path, scratch)
    clean = cleaner(store, transcript.working_directory)
    return len(_append(store, _mined(transcript, session_id, clean), now))


def _mined(
    transcript: "Transcript", session_id: str, clean: Callable[[str], str], hook: str = "PreCompact"
) -> "list[Fields]":
    """Return what a transcript teaches, filtered before it is cut into sentences."""
    from calmkb.capture.mining.signals import mine

    last = LAST_TURNS if hook == "PreCompact" else len(transcript.turns)
    cleaned = tuple(replace(turn, text=clean(turn.text)) for turn in transcript.turns[-last:])
    whole = replace(transcript, turns=(*transcript.turns[:-last], *cleaned))
    found = mine(whole, last=last)
    for fields in found:
        fields["session_id"] = fields.get("session_id") or session_id
        fields["source"]["hook"] = hook
    return found


def cleaner(store: SignalStore, folder: str) -> Callable[[str], str]:
    """Return the store's filter that calls the session's folder by the project's name."""
    from calmkb.model import Place
    from calmkb.redact import Redactor

    name = Path(folder).name
    if not name or Path(folder) == Path.home():
        return store.fit
    neutral = Redactor(home=Path.home(), places=[Place(folder, name)]).without_machine
    return lambda text: store.fit(neutral(text))


def _append(store: SignalStore, many: "list[Fields]", now: datetime) -> "list[Signal]":
    """Keep them together; where one of them is refused, each on its own."""
    try:
        return store.append_new(many, now=now)
    except RecordError:
        if len(many) == 1:  # all of it was taken out: nothing to learn
            return []
        return [kept for one in many for kept in _append(store, [one], now)]


def _renewed(store: SignalStore, fields: "Fields") -> bool:
    """Bring the summary of a session that went on up to date; return whether there was one."""
    if fields.get("type") != "summary":
        return False
    known = store.query(type="summary", session=fields["session_id"])
    for one in known:
        if one.meta.get("key") == fields["meta"]["key"]:
            changes = {name: fields[name] for name in ("content", "context", "meta")}
            # One that was removed meanwhile, or of which nothing is left, holds nobody up.
            with contextlib.suppress(NotFoundError, RecordError):
                store.update(one.id, changes)
            return True
    return False


def _ended(payload: Payload, scratch: Path, clean: Callable[[str], str]) -> "list[Fields]":
    """Return the summary of an ended session and what it teaches; a person's waits to be kept."""
    from calmkb.capture.hooks.signals import summary_fields
    from calmkb.capture.hooks.transcripts import has_person, is_automated, read_bounded

    fields = payload.fields
    session, path = text_of(fields, "session_id"), text_of(fields, "transcript_path")
    transcript, partial = read_bounded(Path(path), scratch)
    session = session or transcript.session_id
    summary = summary_fields(transcript, session, clean, partial=partial)
    found = [summary] if summary else []
    if is_automated(Path(path)):
        return found
    if session and has_person(transcript):
        folder = text_of(fields, "cwd") or transcript.working_directory
        note_ended(scratch.parent, EndedSession(session, folder, path, payload.at))
    return [*found, *_mined(transcript, session, clean, payload.event)]
