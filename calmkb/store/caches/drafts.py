"""What was read of each transcript, kept on this machine: a dry run need not be done twice."""

import contextlib
from datetime import datetime
from pathlib import Path

from calmkb.errors import StoreError
from calmkb.store.caches.derived import DerivedCache
from calmkb.system.files import make_private_folder, write_atomically

NAME = "drafts.sqlite"


def draft_cache(state: Path, now: datetime) -> DerivedCache:
    """Return the cache of drafts; what is kept must have been through the filter."""
    with contextlib.suppress(StoreError, OSError):
        make_private_folder(state)
    return DerivedCache(state / NAME, now, private=True)


def saved_drafts(state: Path) -> bytes:
    """Return the cache in a state folder as bytes, empty where there is none."""
    try:
        return (state / NAME).read_bytes()
    except OSError:
        return b""


def restore_drafts(state: Path, data: bytes) -> None:
    """Make the cache of a state folder that has none; one that fails costs only time."""
    with contextlib.suppress(OSError, StoreError):
        if data and not (state / NAME).exists():
            make_private_folder(state)
            write_atomically(state / NAME, data, mode=0o600)
