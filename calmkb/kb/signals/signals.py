"""The signals of this machine, and the queue that hooks leave for them."""

from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from calmkb.errors import CalmError, RecordError
from calmkb.kb.base.environment import Environment
from calmkb.kb.signals.queue import absorb_queue
from calmkb.store.signals.ids import stamp
from calmkb.store.signals.lines import row
from calmkb.store.signals.store import SignalStore

__all__ = ["SignalStore", "fresh_store", "parse_since", "row", "signal_store"]


def signal_store(environment: Environment, *, folders: Iterable[str] = ()) -> SignalStore:
    """Return the store, with a filter that knows this machine and the work in `folders`.

    The filter is made at its first use: what only reads, or finds nothing new, never waits for it.
    """
    return SignalStore(environment.state, clean=_clean_at_first_use(environment, tuple(folders)))


def _clean_at_first_use(environment: Environment, folders: tuple[str, ...]) -> Callable[[str], str]:
    made = cache(lambda: _clean(environment, folders))
    return lambda text: made()(text)


def _clean(environment: Environment, folders: tuple[str, ...]) -> Callable[[str], str]:
    from calmkb.model import Place
    from calmkb.redact import Redactor

    places = [Place(folder, Path(folder).name) for folder in (str(environment.cwd), *folders)]
    redactor = Redactor(
        home=environment.home,
        places=[each for each in places if each.name and Path(each.folder) != environment.home],
        user=environment.user,
        host=environment.host,
    )
    return redactor.text_or_json


def fresh_store(environment: Environment) -> SignalStore:
    """Return the store once it has taken in what hooks have queued, as far as the disk lets it."""
    store = signal_store(environment)
    try:
        absorb_queue(store, environment.now())
    except (CalmError, OSError):
        return store  # what is there can be read all the same
    return store


def parse_since(text: str) -> str:
    """Return a date or time as signals write it; RecordError where it is none."""
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        raise RecordError(
            f"invalid time {text!r}; use 2026-01-31 or 2026-01-31T12:00:00Z"
        ) from None
    return stamp(at if at.tzinfo else at.replace(tzinfo=UTC))
