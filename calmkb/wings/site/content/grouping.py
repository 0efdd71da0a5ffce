"""Records in order and in groups."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

from calmkb.model import Entry, Improvement, Memory, Reflection

Key = TypeVar("Key", bound=Hashable)
Item = TypeVar("Item")
Dated = TypeVar("Dated", Entry, Memory, Reflection, Improvement)


def newest(records: Iterable[Dated]) -> tuple[Dated, ...]:
    """Return records, newest first, each id once."""
    unique = {one.id: one for one in records}
    return tuple(sorted(unique.values(), key=lambda one: (one.created_at, one.id), reverse=True))


def grouped(items: Iterable[Item], key: Callable[[Item], Key]) -> dict[Key, list[Item]]:
    """Return key -> items, both in the order they came."""
    groups: defaultdict[Key, list[Item]] = defaultdict(list)
    for item in items:
        groups[key(item)].append(item)
    return dict(groups)


def inverted(items: Iterable[Item], keys: Callable[[Item], Iterable[str]]) -> dict[str, list[Item]]:
    """Return key -> the items that name it, each once."""
    groups: defaultdict[str, list[Item]] = defaultdict(list)
    for item in items:
        for key in dict.fromkeys(keys(item)):
            groups[key].append(item)
    return dict(groups)
