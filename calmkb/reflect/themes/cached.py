"""Groups of statements by a key of all that they hang on: with the cache or without, the same."""

import hashlib
from collections.abc import Callable, MutableMapping, Sequence
from importlib.metadata import PackageNotFoundError, version

from calmkb.reflect.similarity.methods import Method
from calmkb.reflect.statements.statements import Statement
from calmkb.system.sources import sources_crc

Groups = list[list[int]]
"""Themes as row numbers of statements."""
Cache = MutableMapping[str, Groups]
"""Groups by key. It may forget, and what it returns is checked before it is used."""

_CODE = tuple(
    f"reflect/{name}" for name in ("similarity", "themes", "opposites", "proposals", "statements")
)
"""The code that groups statements: after a change of it no old cache is used."""
_MADE_BY = ("numpy", "scikit-learn", "scipy", "snowballstemmer")


def cached_groups(
    store: Cache | None,
    statements: Sequence[Statement],
    method: Method,
    make: Callable[[], Groups],
) -> Groups:
    """Return the groups of the statements in `store`, else those of `make`, which are then kept."""
    if store is None:
        return make()
    key = _key(statements, method)
    found = store.get(key)
    if found is None or not _is_partition(found, len(statements)):
        found = store[key] = make()
    return found


def _is_partition(found: object, count: int) -> bool:
    """Return whether these are groups of row numbers that hold each of `count` rows once."""
    if not isinstance(found, list) or not all(isinstance(rows, list) and rows for rows in found):
        return False
    rows = [row for rows in found for row in rows]
    return all(type(row) is int for row in rows) and sorted(rows) == list(range(count))


def _key(statements: Sequence[Statement], method: Method) -> str:
    """Return 32 hex digits for the statements in their order and for what makes groups of them."""
    levels = (method.name, method.theme, method.duplicate)
    made_by = [(name, _version(name)) for name in _MADE_BY]
    digest = hashlib.blake2b(repr((sources_crc(_CODE), levels, made_by)).encode())
    for one in statements:
        fields = (one.text, one.date, one.project, one.mined, one.learning)
        digest.update(repr(fields).encode(errors="replace"))
    return digest.hexdigest()[:32]


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:  # built into something else
        return ""
