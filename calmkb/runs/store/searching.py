"""Finds entries by the words in them: a scan, newest first, which needs no index on any engine."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Select, Text, cast, select

from calmkb.model import RunEntry
from calmkb.runs.store.tables import ENTRIES, RUNS, entry_of
from calmkb.runs.store.values import dumps, storable

WORDS = 10
"""The most words of a query that are looked for."""
_SEARCHED = ("text", "tool:starting", "tool:complete", "run:complete", "run:error", "run:started")
_SCANNED = 5_000


@dataclass(frozen=True, slots=True)
class Hit:
    """An entry that was found, and the task of its run."""

    entry: RunEntry
    task: str


def search_entries(connection: Connection, *, query: str, limit: int) -> list[Hit]:
    """Return the newest entries that hold every word of `query`, in any of their values."""
    words = storable(query).split()[:WORDS]
    if not words:
        return []
    asked: Select[Any] = select(*ENTRIES.c, RUNS.c.task).join(RUNS, RUNS.c.id == ENTRIES.c.run_id)
    asked = asked.where(ENTRIES.c.entry_type.in_(_SEARCHED))
    for word in words:
        # As it stands in JSON: a quote has a backslash before it.
        asked = asked.where(
            cast(ENTRIES.c.data, Text).icontains(dumps(word)[1:-1], autoescape=True)
        )
    order = (ENTRIES.c.created_at.desc(), ENTRIES.c.run_id, ENTRIES.c.sequence_number.desc())
    rows = connection.execute(asked.order_by(*order).limit(_SCANNED))
    found = (Hit(entry_of(row), row.task) for row in rows)
    # The names of the data's fields are no words of an entry.
    hits = (hit for hit in found if _holds(hit.entry.data, words))
    return [hit for hit, _ in zip(hits, range(limit), strict=False)]


def _holds(data: Mapping[str, Any], words: Sequence[str]) -> bool:
    text = "\n".join(_texts(data)).casefold()
    return all(word.casefold() in text for word in words)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        for item in value.values():
            yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
    elif value is not None:
        yield str(value)
