"""Which session a running client has come to: what it told its servers at its start goes stale.

A client that clears its conversation begins another session, and its MCP servers run on with the
environment of the first one. Its hooks know better.
"""

import contextlib
import os
from pathlib import Path

_FOLDER = "clients"
_KEPT_SECONDS = 7 * 86_400


def note_client(state: Path, pid: str, session_id: str) -> None:
    """Note the session that the client with this process id has begun."""
    if not pid.isdigit() or not session_id:
        return
    from calmkb.system.files import make_private_folder

    folder = state / _FOLDER
    with contextlib.suppress(OSError, ValueError):
        make_private_folder(folder)
        place = folder / pid
        place.touch(mode=0o600)
        place.write_text(session_id, encoding="utf-8")
        now = place.stat().st_mtime
        with os.scandir(folder) as found:
            for entry in found:
                if entry.stat().st_mtime < now - _KEPT_SECONDS:
                    Path(entry.path).unlink(missing_ok=True)


def client_session(state: Path, pid: int, since: float) -> str:
    """Return the session that the client has begun since then (seconds since 1970), or ""."""
    place = state / _FOLDER / str(pid)
    try:
        # An older note is of another client that had the same number.
        return place.read_text(encoding="utf-8") if place.stat().st_mtime >= since else ""
    except (OSError, ValueError):
        return ""
