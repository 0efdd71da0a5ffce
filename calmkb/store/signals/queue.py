"""The queue of hook inputs: one file each, as a shell put it there; taken in oldest first.

A file is finished when it holds JSON: a hook may still be writing what does not.
"""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from calmkb.store.signals.pending import parse_object

PAYLOAD_LIMIT = 64 * 1024 * 1024
"""A larger input tells nothing that a smaller one does not, and is dropped unread."""
_WRITING = 120  # seconds after which what is not JSON will never be: its hook was killed


@dataclass(frozen=True, slots=True)
class Payload:
    """One input: the event, its bytes, and when it came (seconds since 1970)."""

    path: Path
    event: str
    raw: bytes
    at: float
    fields: dict[str, Any]

    def done(self) -> None:
        """Forget it: what it says is kept, or says nothing."""
        with contextlib.suppress(OSError):
            self.path.unlink()


def waiting(folder: Path, now: float) -> Iterator[Payload]:
    """Yield what waits, oldest first, read one by one; clear away what a killed hook left."""
    named = []
    for path in folder.glob("*"):
        with contextlib.suppress(OSError):
            state = path.stat(follow_symlinks=False)
            if path.name.startswith("."):
                if path.name != ".lock" and state.st_mtime < now - _WRITING:
                    path.unlink()
            elif path.suffix == ".json" and path.is_file() and not path.is_symlink():
                named.append((state.st_mtime_ns, path.name, state.st_size, path))
    for at, name, size, path in sorted(named):
        with contextlib.suppress(OSError):
            raw = path.read_bytes() if size <= PAYLOAD_LIMIT else b""
            fields = parse_object(raw)
            if fields is None and at / 1e9 > now - _WRITING and size <= PAYLOAD_LIMIT:
                continue
            yield Payload(path, name.partition("-")[0], raw, at / 1e9, fields or {})
