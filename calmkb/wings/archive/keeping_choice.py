"""Whether sessions are kept on this machine, and in how many bytes: a person's choice."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

_NAME = "keeping.json"
LIMIT = 2 * 1024**3


@dataclass(frozen=True, slots=True)
class KeepingChoice:
    """Sessions are kept unless a person switched that off; `limit` is in bytes, compressed.

    `stamp` changes with each switch and removal: who began at another one writes nothing more.
    `removed_at` is when all that was kept was removed, in seconds since 1970.
    """

    on: bool = True
    limit: int = LIMIT
    stamp: str = ""
    removed_at: float = 0.0


def write_choice(state: Path, choice: KeepingChoice) -> None:
    """Remember the choice; StoreError where the disk refuses."""
    from calmkb.system.files import write_atomically

    write_atomically(state / _NAME, json.dumps(asdict(choice)).encode(), mode=0o600)


def read_choice(state: Path) -> KeepingChoice:
    """Return the choice; one that cannot be read for sure keeps nothing."""
    try:
        row = json.loads((state / _NAME).read_text(encoding="utf-8"))
        stamp, removed_at = str(row.get("stamp", "")), float(row.get("removed_at", 0))
        return KeepingChoice(row["on"] is True, int(row["limit"]), stamp, removed_at)
    except FileNotFoundError:
        return KeepingChoice()
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return KeepingChoice(on=False)


def may_keep(state: Path, begun: str) -> bool:
    """Return whether what began at the stamp `begun` may write still."""
    choice = read_choice(state)
    return choice.on and choice.stamp == begun
