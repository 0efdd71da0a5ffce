"""Groups of texts by a key of all that they depend on: with the cache or without, the same."""

import hashlib
from collections.abc import Callable, MutableMapping, Sequence
from importlib.metadata import PackageNotFoundError, version

from calmkb.reflect.similarity.base import Method
from calmkb.system.sources import sources_crc

Groups = list[list[int]]
"""Themes as row numbers of texts."""
Cache = MutableMapping[str, Groups]
"""Groups by key. It may forget, and what it returns is checked before it is used."""

_CODE = tuple(f"reflect/{name}" for name in ("similarity", "themes", "opposites", "proposals"))
"""The code that groups texts: after a change of it no old cache is used."""
_MADE_BY = ("graspologic-native", "numpy", "scipy", "snowballstemmer")


def cached_groups(
    store: Cache | None,
    texts: Sequence[str],
    method: Method,
    make: Callable[[], Groups],
    *,
    of: str = "",
) -> Groups:
    """Return the groups of `texts` in `store`, else those of `make`, which are then stored.

    `of` tells groups of one kind from those of another, and what they hang on beside the texts.
    """
    if store is None:
        return make()
    key = _key([of, *texts] if of else texts, method)
    found = store.get(key)
    if found is None or not _is_partition(found, len(texts)):
        found = store[key] = make()
    return [list(rows) for rows in found]


def _is_partition(found: object, count: int) -> bool:
    """Return whether these are groups of row numbers that hold each of `count` rows once."""
    if not isinstance(found, list) or not all(isinstance(rows, list) and rows for rows in found):
        return False
    rows = [row for rows in found for row in rows]
    return all(type(row) is int for row in rows) and sorted(rows) == list(range(count))


def _key(texts: Sequence[str], method: Method) -> str:
    """Return 32 hex digits for the texts in their order and for what makes groups of them."""
    levels = (method.name, method.theme, method.agreement)
    made_by = [(name, _version(name)) for name in _MADE_BY]
    digest = hashlib.blake2b(repr((sources_crc(_CODE), levels, made_by)).encode())
    for text in texts:
        data = text.encode(errors="replace")
        digest.update(b"%d:" % len(data) + data)
    return digest.hexdigest()[:32]


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:  # built into something else
        return ""
