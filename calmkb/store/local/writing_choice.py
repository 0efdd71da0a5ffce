"""Which program writes ended sessions on this machine, if a person switched that on.

It stays outside every repository: settings that come with a clone must not start programs.
"""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

_NAME = "writing.json"


@dataclass(frozen=True, slots=True)
class WritingChoice:
    """The program by name or command line, its model, and what it may cost and take.

    `budget` is in dollars a day, `seconds` are those of a session. With `commits` entries are
    committed unseen. `since`, in seconds since 1970, is when it was switched on: what ended before
    is not sent.
    """

    program: str
    model: str
    budget: float
    seconds: float
    commits: bool
    since: float = 0.0


def keep_choice(state: Path, choice: WritingChoice) -> None:
    """Keep the choice; StoreError where the disk refuses."""
    from calmkb.system.files import make_private_folder, write_atomically

    make_private_folder(state)
    write_atomically(state / _NAME, json.dumps(asdict(choice)).encode(), mode=0o600)


def drop_choice(state: Path) -> None:
    """Have no program write any more."""
    (state / _NAME).unlink(missing_ok=True)


def read_choice(state: Path) -> WritingChoice | None:
    """Return the choice; None where there is none, or where it cannot be read for sure."""
    try:
        row = json.loads((state / _NAME).read_text(encoding="utf-8"))
        return WritingChoice(
            program=str(row["program"]),
            model=str(row["model"]),
            budget=float(row["budget"]),
            seconds=float(row["seconds"]),
            commits=row["commits"] is True,
            since=float(row["since"]),
        )
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return None
