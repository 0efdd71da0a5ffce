"""A first look at what hooks say and have queued, with nothing that takes time to load."""

import json
import os
from pathlib import Path
from typing import Any


def is_waiting(state: Path) -> bool:
    """Return whether hooks have queued anything; the lock's own file is nothing."""
    try:
        with os.scandir(state / "queue") as entries:
            return any(entry.name != ".lock" for entry in entries)
    except OSError:
        return False


def parse_object(raw: bytes) -> dict[str, Any] | None:
    """Return the object that a client sent, {} for other JSON, None for what is no JSON (yet)."""
    try:
        fields = json.loads(raw.decode(errors="replace"))
    except (ValueError, RecursionError):
        return None
    return fields if isinstance(fields, dict) else {}
