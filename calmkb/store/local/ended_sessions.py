"""Sessions that have ended here and that no entry is about yet: one small file each.

A note for the next session, not the truth: without it less is offered.
"""

import contextlib
import json
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from calmkb.store.local.written_drafts import forget_written

_FOLDER = "ended"
_KEPT_SECONDS = 30 * 86_400
"""As long as the client keeps a transcript."""
_MOST = 200


@dataclass(frozen=True, slots=True)
class EndedSession:
    """The agent's id of a session, its folder, its transcript, and when it ended (since 1970)."""

    session_id: str
    folder: str
    transcript: str
    ended_at: float


def note_ended(state: Path, session: EndedSession) -> None:
    """Note a session; one that went on and ended again is noted once."""
    from calmkb.system.files import make_private_folder

    path = _path(state, session.session_id)
    with contextlib.suppress(OSError):  # an offer is worth no lost signal
        make_private_folder(path.parent)
        path.touch(mode=0o600)
        path.write_text(json.dumps(asdict(session)), encoding="utf-8")


def forget_ended(state: Path, session_id: str) -> None:
    """Forget a session that an entry is about, and what a program wrote of it."""
    forget_written(state, session_id)
    with contextlib.suppress(OSError):
        _path(state, session_id).unlink(missing_ok=True)


def ended_sessions(state: Path, now: float) -> list[EndedSession]:
    """Return the sessions whose transcript is still there, newest first; drop the others."""
    folder = state / _FOLDER
    paths = sorted(folder.glob("*.json"))[:_MOST] if folder.is_dir() else []
    return sorted(_read(state, paths, now), key=lambda one: (-one.ended_at, one.session_id))


def _read(state: Path, paths: list[Path], now: float) -> Iterator[EndedSession]:
    for path in paths:
        with contextlib.suppress(OSError, ValueError, TypeError):
            found = EndedSession(**json.loads(path.read_text(encoding="utf-8")))
            if found.ended_at < now - _KEPT_SECONDS or not Path(found.transcript).is_file():
                path.unlink(missing_ok=True)
                forget_written(state, found.session_id)
            else:
                yield found


def _path(state: Path, session_id: str) -> Path:
    name = re.sub("[^A-Za-z0-9-]", "-", session_id)[:100]  # the agent's id, whatever is in it
    return state / _FOLDER / f"{name}.json"
