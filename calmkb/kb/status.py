"""What the status line shows: counted without opening a knowledge base, in a few milliseconds.

Only the standard library and two small modules are imported: clients call this all the time.
"""

import json
from collections.abc import Mapping
from pathlib import Path

from calmkb.hook import state_folder
from calmkb.store.local.notices import CONTINUATIONS, EXPORTS, WAITING, read_notices
from calmkb.store.signals.pending import pending


def status_parts(env: Mapping[str, str], payload: bytes) -> list[str]:
    """Return the pending signals, and the notices of the project that the client's input names."""
    state = Path(state_folder(env))
    return [part for part in (signals_part(state), *_notices(state, payload)) if part]


def signals_part(state: Path) -> str:
    """Return how many signals a review would ask about now, or nothing where it would ask none."""
    count = pending(state / "signals.jsonl")
    return f"reflect: {count} pending" if count else ""


def _notices(state: Path, payload: bytes) -> list[str]:
    named = {"waiting": WAITING, "continue": CONTINUATIONS, "export": EXPORTS}
    found = {word: read_notices(state, name) for word, name in named.items()}
    if not any(found.values()):
        return []
    project = _project(payload)
    lines = {word: notices.get(project, "") for word, notices in found.items()}
    return [f"{word}: {line}" for word, line in lines.items() if line]


def _project(payload: bytes) -> str:
    """Return the name of the project that the client works in."""
    try:
        fields = json.loads(payload or b"{}")
        place = fields["workspace"]["project_dir"] if "workspace" in fields else fields["cwd"]
        return Path(place).name
    except (ValueError, LookupError, TypeError, RecursionError):
        return Path.cwd().name
