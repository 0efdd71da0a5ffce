"""What enforced memories stopped, warned of or let pass on this machine: ids and checks, no call.

One line of JSON each in `checks.jsonl`; a call itself is not kept, for it may hold what is secret.
"""

import contextlib
import json
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path

from calmkb.errors import StoreError
from calmkb.system.files import append_lines

NAME = "checks.jsonl"
LIMIT = 4 * 1024 * 1024
"""Bytes that are read, of the newest."""
OUTCOMES = ("block", "warn", "passed")


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
    outcome: str


def note_fired(state: Path, fired: FiredCheck) -> None:
    """Append one line; a full disk loses it, for the client waits for an answer."""
    line = json.dumps(asdict(fired)).encode() + b"\n"
    with contextlib.suppress(StoreError):
        append_lines(state / NAME, line, durable=False)


def read_fired(state: Path) -> tuple[FiredCheck, ...]:
    """Return what fired here, the oldest first; a line that is no such row is passed over."""
    try:
        with (state / NAME).open("rb") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - LIMIT))
            lines = file.read(LIMIT).splitlines()
    except OSError:
        return ()
    return tuple(_rows(lines))


def _rows(lines: list[bytes]) -> Iterator[FiredCheck]:
    for line in lines:
        with contextlib.suppress(ValueError, LookupError, TypeError, RecursionError):
            row = json.loads(line)
            one = FiredCheck(**{name: str(row[name]) for name in FiredCheck.__slots__})
            datetime.fromisoformat(one.at)
            if one.outcome in OUTCOMES:
                yield one
