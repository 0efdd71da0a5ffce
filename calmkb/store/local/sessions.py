"""Sessions that ended here without an entry, what a program wrote of them, and clients' sessions.

Notes for the next session, not the truth: without them less is offered. Read when a session begins.
"""

import contextlib
import re
from dataclasses import dataclass
from pathlib import Path

from calmkb.store.local.state_files import load, record_of, save

_ENDED, WRITTEN, _CLIENTS = "ended", "written", "clients"
WRITTEN_PARTS = ("summary", "friction_points", "next_steps", "learnings")
TRIES = 3
"""How often a program is asked about one session: each time may cost money."""
_DAY = 86_400
_ENDED_SECONDS = 30 * _DAY  # as long as the client keeps a transcript
_CLIENT_SECONDS = 7 * _DAY
_MOST = 200


@dataclass(frozen=True, slots=True)
class EndedSession:
    """The agent's id of a session, its folder, its transcript, and when it ended (since 1970)."""

    session_id: str
    folder: str
    transcript: str
    ended_at: float


@dataclass(frozen=True, slots=True)
class WrittenDraft:
    """What a program wrote of a transcript of `size` bytes, or in `fault` why it did not.

    `tries` counts the times it was asked, before the answer is there: a kill counts too.
    """

    size: int
    tries: int = 0
    by: str = ""
    fault: str = ""
    summary: str = ""
    friction_points: tuple[str, ...] = ()
    next_steps: tuple[str, ...] = ()
    learnings: tuple[str, ...] = ()


def note_ended(state: Path, session: EndedSession) -> None:
    """Note a session; one that went on and ended again is noted once."""
    from calmkb.errors import StoreError

    with contextlib.suppress(StoreError):  # an offer is worth no lost signal
        save(place_of_session(state, _ENDED, session.session_id), session, durable=False)


def forget_ended(state: Path, session_id: str) -> None:
    """Forget a session that an entry is about, and what a program wrote of it."""
    forget_written(state, session_id)
    _drop(place_of_session(state, _ENDED, session_id))


def ended_sessions(state: Path, now: float) -> list[EndedSession]:
    """Return the sessions whose transcript is still there, newest first; drop the others."""
    kept = []
    for path in sorted((state / _ENDED).glob("*.json"))[:_MOST]:
        found = record_of(EndedSession, load(path))
        if found and (found.ended_at >= now - _ENDED_SECONDS and Path(found.transcript).is_file()):
            kept.append(found)
        elif found:
            _drop(path)
            forget_written(state, found.session_id)
    return sorted(kept, key=lambda one: (-one.ended_at, one.session_id))


def keep_written(state: Path, session_id: str, written: WrittenDraft) -> None:
    """Keep what was written of a session in place of what was before; StoreError on no room."""
    save(place_of_session(state, WRITTEN, session_id), written)


def read_written(state: Path, session_id: str) -> WrittenDraft | None:
    """Return what was written of a session, None where nothing can be read."""
    return record_of(WrittenDraft, load(place_of_session(state, WRITTEN, session_id)))


def all_written(state: Path) -> list[WrittenDraft]:
    """Return all that is kept here, failures too."""
    paths = sorted((state / WRITTEN).glob("*.json"))
    return [found for path in paths if (found := record_of(WrittenDraft, load(path)))]


def is_written(state: Path, session_id: str, transcript: str) -> bool:
    """Return whether a program's draft of a session waits for a yes."""
    found = read_written(state, session_id)
    return found is not None and bool(found.summary) and found.size == size_of(Path(transcript))


def forget_written(state: Path, session_id: str) -> None:
    """Forget what was written of a session that is kept, dropped, too old, or goes on."""
    _drop(place_of_session(state, WRITTEN, session_id))


def size_of(transcript: Path) -> int:
    """Return the bytes of a transcript: one that has grown is of a session that went on."""
    try:
        return transcript.stat().st_size
    except OSError:  # removed meanwhile
        return -1


def note_client(state: Path, pid: str, session_id: str) -> None:
    """Note the session that the client with this process id has begun.

    A client that clears its conversation begins another session, and its servers run on with the
    environment of the first one. Its hooks know better.
    """
    if not pid.isdigit() or not session_id:
        return
    from calmkb.system.files import make_private_folder

    folder = state / _CLIENTS
    with contextlib.suppress(OSError, ValueError):
        make_private_folder(folder)
        place = folder / pid
        place.touch(mode=0o600)
        place.write_text(session_id, encoding="utf-8")
        oldest = place.stat().st_mtime - _CLIENT_SECONDS
        for one in folder.iterdir():
            if one.stat().st_mtime < oldest:
                one.unlink(missing_ok=True)


def client_session(state: Path, pid: int, since: float) -> str:
    """Return the session that the client has begun since then (seconds since 1970), or ""."""
    place = state / _CLIENTS / str(pid)
    try:
        # An older note is of another client that had the same number.
        return place.read_text(encoding="utf-8") if place.stat().st_mtime >= since else ""
    except (OSError, ValueError):
        return ""


def _drop(path: Path) -> None:
    with contextlib.suppress(OSError):
        path.unlink(missing_ok=True)


def place_of_session(state: Path, folder: str, session_id: str) -> Path:
    """Return the file in `folder` about a session, whatever is in the agent's id of it."""
    return state / folder / f"{re.sub('[^A-Za-z0-9-]', '-', session_id)[:100]}.json"
