"""How signals enter a store: one writer at a time, checked, new, each with an id of its own."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from calmkb.errors import RecordError, StoreError
from calmkb.model import Signal
from calmkb.store.signals.ids import Counter, key_of, stamp
from calmkb.store.signals.lines import read_lines, row, signal_from
from calmkb.system.files import make_private_folder

_LOCK_SECONDS = 30


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the store's lock; StoreError where it cannot be had."""
    path = folder / "signals.lock"
    try:
        make_private_folder(folder)
        lock = FileLock(path, timeout=_LOCK_SECONDS, mode=0o600)
        lock.acquire(poll_interval=0.01)
    except Timeout:
        raise StoreError(
            f"another process has held {path} for {_LOCK_SECONDS} seconds; try again, or end it"
        ) from None
    except (OSError, NotImplementedError) as error:
        raise StoreError(f"cannot write in {folder}: {error}") from error
    try:
        yield
    finally:
        lock.release()


def check_names(fields: object, choices: Sequence[str]) -> None:
    """Raise RecordError unless `fields` is an object with no other names than `choices`."""
    if not isinstance(fields, Mapping):
        raise RecordError(f"a signal is a JSON object, not {fields!r}")
    if strange := [name for name in fields if name not in choices]:
        raise RecordError(f"field {strange[0]!r} is unknown; choose from: {', '.join(choices)}")


def unknown(many: Sequence[dict[str, Any]], known: set[str]) -> list[dict[str, Any]]:
    """Return those whose `meta.key` is not `known`, each once; what has no key is always new."""
    new = []
    for fields in many:
        key = key_of(fields.get("meta", {}))
        if not key or key not in known:
            new.append(fields)
            known.add(key)
    return new


def with_ids(many: Sequence[dict[str, Any]], counter: Counter, now: datetime) -> list[Signal]:
    """Return the signals with ids, all checked before a number is spent on any of them.

    Raises RecordError on a wrong field, and on an id that was chosen and is there already.
    """
    pending = f"SIG-{now.astimezone(UTC):%Y%m%d}-0000"
    defaults = {"timestamp": stamp(now), "session_id": "", "confidence": 1, "source": {}}
    checked = [signal_from({**defaults, "id": pending, **fields}) for fields in many]
    chosen = [one.id for one in checked if one.id != pending]
    if chosen:
        _take_note(chosen, counter)
    ids = iter(counter.take(len(checked) - len(chosen), now.astimezone(UTC)))
    if checked:
        counter.save()
    return [
        one if one.id != pending else signal_from({**row(one), "id": next(ids)}) for one in checked
    ]


def _take_note(chosen: Sequence[str], counter: Counter) -> None:
    there = {line.signal.id for line in read_lines(counter.lines) if line.signal}
    for id_ in chosen:
        if id_ in there:
            raise RecordError(f"signal {id_} exists already; leave the id out to get a new one")
        there.add(id_)
        counter.given(id_)
