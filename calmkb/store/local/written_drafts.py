"""What a program wrote of ended sessions, until a person says yes: one small file each.

Read when a session begins, so nothing but the standard library is imported at the top.
"""

import contextlib
import json
import re
from dataclasses import asdict, dataclass
from pathlib import Path

FOLDER = "written"
TRIES = 3
"""How often a program is asked about one session: each time may cost money."""


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


def keep_written(state: Path, session_id: str, written: WrittenDraft) -> None:
    """Keep what was written of a session in place of what was before; StoreError on no room."""
    from calmkb.system.files import make_private_folder, write_atomically

    path = _path(state, session_id)
    make_private_folder(path.parent)
    text = json.dumps(asdict(written), ensure_ascii=False)
    write_atomically(path, text.encode(errors="replace"), mode=0o600)


def read_written(state: Path, session_id: str) -> WrittenDraft | None:
    """Return what was written of a session, None where nothing can be read."""
    return _read(_path(state, session_id))


def all_written(state: Path) -> list[WrittenDraft]:
    """Return all that is kept here, failures too."""
    paths = sorted((state / FOLDER).glob("*.json"))
    return [found for path in paths if (found := _read(path))]


def is_written(state: Path, session_id: str, transcript: str) -> bool:
    """Return whether a program's draft of a session waits for a yes."""
    found = read_written(state, session_id)
    return found is not None and bool(found.summary) and found.size == size_of(Path(transcript))


def size_of(transcript: Path) -> int:
    """Return the bytes of a transcript: one that has grown is of a session that went on."""
    try:
        return transcript.stat().st_size
    except OSError:
        return -1


def forget_written(state: Path, session_id: str) -> None:
    """Forget what was written of a session that is kept, dropped, too old, or goes on."""
    with contextlib.suppress(OSError):
        _path(state, session_id).unlink(missing_ok=True)


def _read(path: Path) -> WrittenDraft | None:
    try:
        row = json.loads(path.read_text(encoding="utf-8"))
        lists = {name: tuple(map(str, value)) for name, value in row.items() if type(value) is list}
        found = WrittenDraft(**(row | lists))
    except (OSError, ValueError, TypeError, AttributeError, RecursionError):
        return None
    return found if isinstance(found.size, int) and isinstance(found.tries, int) else None


def _path(state: Path, session_id: str) -> Path:
    name = re.sub("[^A-Za-z0-9-]", "-", session_id)[:100]  # the agent's id, whatever is in it
    return state / FOLDER / f"{name}.json"
