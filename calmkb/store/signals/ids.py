"""What a signal store remembers beside its lines: ids given, the last pruning, signals removed.

All of it is for the holder of the store's lock.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from calmkb.errors import RecordError, StoreError
from calmkb.store.signals.lines import Line, parse, read_lines
from calmkb.system.files import append_lines, write_atomically

_DAYS_KEPT = 40
_TAIL = 64 * 1024


@dataclass(slots=True)
class Counter:
    """The last number given on each day, and the day of the last pruning.

    A number is written down before it is used: a process killed between leaves a gap, no double.
    """

    path: Path
    lines: Path
    last: dict[str, int] = field(default_factory=dict)
    pruned: str = ""

    def load(self) -> "Counter":
        """Read what was written down; a file that cannot be read counts as none."""
        try:
            kept: Any = json.loads(self.path.read_bytes())
            self.last = {str(day): int(number) for day, number in kept["last"].items()}
            self.pruned = str(kept["pruned"])
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            self.last, self.pruned = {}, ""
        return self

    def save(self) -> None:
        """Write it down. A power failure may forget it; then the file's lines are counted."""
        days = sorted(self.last)[-_DAYS_KEPT:]
        kept = {"last": {day: self.last[day] for day in days}, "pruned": self.pruned}
        write_atomically(self.path, json.dumps(kept).encode(), mode=0o600, durable=False)

    def take(self, count: int, now: datetime) -> list[str]:
        """Return `count` ids of the day that no signal has had."""
        day = f"{now:%Y%m%d}"
        # The tail guards against a counter from an old backup; all lines, where there is none.
        seen = _tail(self.lines) if day in self.last else read_lines(self.lines)
        start = max([self.last.get(day, 0), *_numbers(seen, day)])
        self.last[day] = start + count
        return [f"SIG-{day}-{number:04}" for number in range(start + 1, start + count + 1)]

    def given(self, id_: str) -> None:
        """Take note of an id that somebody chose."""
        _, day, number = id_.split("-")
        known = self.last.get(day, max([0, *_numbers(read_lines(self.lines), day)]))
        self.last[day] = max(known, int(number))

    def pruning_is_due(self, now: datetime) -> bool:
        """Return whether this is the first call of the day; from now on it is not."""
        day = f"{now:%Y%m%d}"
        due, self.pruned = self.pruned != day, day
        return due


def _numbers(lines: Iterable[Line], day: str) -> list[int]:
    ids = [line.signal.id for line in lines if line.signal]
    return [int(id_.rpartition("-")[2]) for id_ in ids if id_.startswith(f"SIG-{day}-")]


def _tail(path: Path) -> list[Line]:
    """Return the last lines of a file, however long it is."""
    try:
        with path.open("rb") as file:
            start = max(0, file.seek(0, 2) - _TAIL)
            file.seek(start)
            raw = file.read().split(b"\n")
    except FileNotFoundError:
        return []
    except OSError as error:
        raise StoreError(f"cannot read {path}: {error.strerror or error}") from error
    return [parse(each) for each in raw[1 if start else 0 :] if each.strip()]


def key_of(meta: Any) -> str:
    """Return the key by which a captured thing is known again, "" where it has none."""
    key = meta.get("key") if hasattr(meta, "get") else None
    return key if isinstance(key, str) else ""


def removed_keys(path: Path) -> set[str]:
    """Return the keys of signals that are no longer in the store."""
    try:
        return set(path.read_text(encoding="utf-8", errors="replace").split())
    except FileNotFoundError:
        return set()
    except OSError as error:
        raise StoreError(f"cannot read {path}: {error.strerror or error}") from error


def remember_removed(path: Path, lines: Iterable[Line]) -> None:
    """Keep the keys of signals about to be removed: their transcripts may be read once more."""
    keys = [key_of(line.signal.meta) for line in lines if line.signal]
    if keys := [key for key in keys if key and not key.split()[1:]]:
        append_lines(path, "".join(f"{key}\n" for key in keys).encode(), alone=True)


def stamp(at: datetime) -> str:
    """Return a time as signals write it."""
    return f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


def days_before(now: datetime, days: int) -> str:
    """Return the time `days` ago; RecordError where the calendar does not reach as far."""
    try:
        return stamp(now - timedelta(days=days))
    except OverflowError:
        raise RecordError(f"{days:,} days ago is before the calendar; give fewer") from None
