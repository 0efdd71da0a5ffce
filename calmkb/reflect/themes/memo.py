"""What is settled about themes, kept by all that it hangs on: with it or without, the same."""

import hashlib
from collections.abc import Callable, MutableMapping, Sequence
from importlib.metadata import PackageNotFoundError, version

from calmkb import __version__
from calmkb.reflect.similarity.base import Method
from calmkb.reflect.similarity.terms import SETTINGS

Groups = list[list[int]]
"""Themes as row numbers of texts, the one that speaks for a theme first."""
Memo = MutableMapping[str, Groups]
"""Groups by key. It may forget, and what it gives back is looked at before it is believed."""

VERSION = 1
"""Raise it with any change to how texts come into themes, or to who speaks for one."""
_MADE_BY = ("graspologic-native", "numpy", "scipy", "snowballstemmer")


def kept(
    memo: Memo | None, texts: Sequence[str], method: Method, make: Callable[[], Groups]
) -> Groups:
    """Return the groups of `texts` that `memo` holds, else those of `make`, kept for next time."""
    if memo is None:
        return make()
    key = _key(texts, method)
    found = memo.get(key)
    if found is None or not _parts(found, len(texts)):
        found = memo[key] = make()
    return [list(rows) for rows in found]


def _parts(found: object, count: int) -> bool:
    """Tell whether these are groups of row numbers that hold each of `count` rows once."""
    if not isinstance(found, list) or not all(isinstance(rows, list) and rows for rows in found):
        return False
    rows = [row for rows in found for row in rows]
    return all(type(row) is int for row in rows) and sorted(rows) == list(range(count))


def _key(texts: Sequence[str], method: Method) -> str:
    """Return 32 hex digits for the texts in their order and for what makes groups of them."""
    levels = (method.name, method.theme, method.agreement)
    made_by = [(name, _version(name)) for name in _MADE_BY]
    digest = hashlib.blake2b(repr((VERSION, __version__, SETTINGS, levels, made_by)).encode())
    for text in texts:
        said = text.encode(errors="replace")
        digest.update(b"%d:" % len(said) + said)
    return digest.hexdigest()[:32]


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:  # built into something else
        return ""
