"""Whether sessions are kept on this machine, and in how many bytes: a person's choice."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

_NAME = "keeping.json"
LIMIT = 2 * 1024**3


@dataclass(frozen=True, slots=True)
class KeepingChoice:
    """Sessions are kept unless a person switched that off; `limit` is in bytes, compressed."""

    on: bool = True
    limit: int = LIMIT


def write_choice(state: Path, choice: KeepingChoice) -> None:
    """Remember the choice; StoreError where the disk refuses."""
    from calmkb.system.files import write_atomically

    write_atomically(state / _NAME, json.dumps(asdict(choice)).encode(), mode=0o600)


def read_choice(state: Path) -> KeepingChoice:
    """Return the choice; one that cannot be read for sure keeps nothing."""
    try:
        row = json.loads((state / _NAME).read_text(encoding="utf-8"))
        return KeepingChoice(on=row["on"] is True, limit=int(row["limit"]))
    except FileNotFoundError:
        return KeepingChoice()
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return KeepingChoice(on=False)
