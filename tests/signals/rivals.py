"""What rival processes do to one store; importable by a spawned interpreter."""

from datetime import timedelta
from pathlib import Path

from calmkb.kb.signals.queue import absorb_queue
from calmkb.store.signals.store import SignalStore
from tests.signals.samples import NOW, fields

EACH = 4


def append(state: str, name: int) -> list[str]:
    """Append one by one; return the ids that were acknowledged."""
    store = SignalStore(Path(state), clean=str)
    return [store.append(fields(f"{name} {n}"), now=NOW).id for n in range(EACH)]


def change(state: str, name: int) -> list[str]:
    """Append, settle and archive old signals while the others append."""
    store = SignalStore(Path(state), clean=str)
    ids = []
    for n in range(EACH // 2):
        store.append(fields(f"old {name} {n}"), now=NOW - timedelta(days=30))
        ids.append(store.append(fields(f"{name} {n}"), now=NOW).id)
        store.update(ids[-1], {"status": "analyzed"})
        store.archive(now=NOW)
    return ids


def absorb(state: str, _name: int) -> list[str]:
    """Take the queue in while others do the same."""
    absorb_queue(SignalStore(Path(state), clean=str), NOW)
    return []
