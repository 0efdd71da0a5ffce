"""What models cost on this machine: a line for each call, so that a day's budget can hold."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from calmkb.store.local.state_files import add_rows, record_of, rows_in

_NAME = "spending.jsonl"


@dataclass(frozen=True, slots=True)
class _Call:
    at: str
    dollars: float


def note_spending(state: Path, at: datetime, dollars: float, what: str) -> None:
    """Add a call's cost; StoreError where the disk refuses it."""
    row = {"at": at.isoformat(), "dollars": round(dollars, 6), "for": what}
    add_rows(state / _NAME, [row], durable=False)


def spent_on(state: Path, at: datetime, what: str = "") -> list[float]:
    """Return what each call of the UTC day of `at` cost, or each for `what`."""
    day = at.date().isoformat()
    rows = [row for row in rows_in(state / _NAME) if not what or row.get("for") == what]
    calls = [call for row in rows if (call := record_of(_Call, row))]
    return [one.dollars for one in calls if one.at.startswith(day) and 0 <= one.dollars < 1e6]
