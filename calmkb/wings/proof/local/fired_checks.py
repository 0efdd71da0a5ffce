"""What enforced memories stopped, warned of or let pass on this machine: ids and checks, no call.

One line of JSON each in `checks.jsonl`; a call itself is not kept, for it may hold what is secret.
"""

import contextlib
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

from calmkb.errors import StoreError
from calmkb.store.local.state_files import add_rows, record_of, rows_in

NAME = "checks.jsonl"


@dataclass(frozen=True, slots=True)
class FiredCheck:
    """One call that broke a memory's check, and its outcome: block, warn, or passed by a person.

    `at` is an ISO time with its offset, `session` the client's id.
    """

    memory: str
    knowledge_base: str
    session: str
    at: str
    check: str
    outcome: Literal["block", "warn", "passed"]


def note_fired(state: Path, fired: FiredCheck) -> None:
    """Append one line; a full disk loses it, for the client waits for an answer."""
    with contextlib.suppress(StoreError):
        add_rows(state / NAME, [asdict(fired)], durable=False)


def read_fired(state: Path) -> list[FiredCheck]:
    """Return what fired here, the oldest first; a line that is no such row is passed over."""
    return [one for row in rows_in(state / NAME) if (one := record_of(FiredCheck, row))]
