"""What models cost on this machine: a line for each call, so that a day's budget can hold."""

import json
import os
from datetime import datetime
from pathlib import Path

from calmkb.errors import StoreError
from calmkb.system.files import make_private_folder

_NAME = "spending.jsonl"
_LIMIT = 4 * 1024 * 1024


def note_spending(state: Path, at: datetime, dollars: float, what: str) -> None:
    """Add a call's cost; StoreError where the disk refuses it."""
    line = json.dumps({"at": at.isoformat(), "dollars": round(dollars, 6), "for": what}) + "\n"
    try:
        make_private_folder(state)
        handle = os.open(state / _NAME, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            os.write(handle, line.encode())  # one write: two writers do not tear a line
        finally:
            os.close(handle)
    except OSError as error:
        raise StoreError(f"cannot write {state / _NAME}: {error.strerror}") from error


def spent_on(state: Path, at: datetime) -> float:
    """Return the dollars of the UTC day of `at`; lines that cannot be read count nothing."""
    try:
        data = (state / _NAME).read_bytes()[-_LIMIT:]
    except OSError:
        return 0.0
    day = at.date().isoformat()
    return sum(_dollars(line, day) for line in data.decode(errors="replace").splitlines())


def _dollars(line: str, day: str) -> float:
    try:
        row = json.loads(line)
        dollars = float(row["dollars"])
        return dollars if str(row["at"]).startswith(day) and 0 <= dollars < 1e6 else 0.0
    except (ValueError, KeyError, TypeError, RecursionError):
        return 0.0
