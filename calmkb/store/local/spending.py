"""What models cost on this machine: a line for each call, so that a day's budget can hold."""

import json
from datetime import datetime
from pathlib import Path

from calmkb.system.files import append_lines

_NAME = "spending.jsonl"
_LIMIT = 4 * 1024 * 1024


def note_spending(state: Path, at: datetime, dollars: float, what: str) -> None:
    """Add a call's cost; StoreError where the disk refuses it."""
    line = json.dumps({"at": at.isoformat(), "dollars": round(dollars, 6), "for": what}) + "\n"
    append_lines(state / _NAME, line.encode(), durable=False)


def spent_on(state: Path, at: datetime, what: str = "") -> list[float]:
    """Return what each call of the UTC day of `at` cost, or each for `what`.

    Lines that cannot be read are passed over.
    """
    try:
        data = (state / _NAME).read_bytes()[-_LIMIT:]
    except OSError:
        return []
    lines = data.decode(errors="replace").splitlines()
    return [cost for line in lines if (cost := _dollars(line, at.date().isoformat(), what)) >= 0]


def _dollars(line: str, day: str, what: str) -> float:
    """Return what a line says was spent, -1 where it is of another day or cannot be read."""
    try:
        row = json.loads(line)
        dollars = float(row["dollars"])
        fits = str(row["at"]).startswith(day) and (not what or row["for"] == what)
        return dollars if fits and 0 <= dollars < 1e6 else -1.0
    except (ValueError, KeyError, TypeError, RecursionError):
        return -1.0
