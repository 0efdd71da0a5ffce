"""A first look at what hooks queued and what waits for a review, without loading the store."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_WAITING = "captured"


def pending(path: Path) -> int:
    """Return how many signals a review would ask about; 0 where there is no file to be read."""
    try:
        content = path.read_bytes()
    except OSError:
        return 0
    return sum(_waits(line) for line in content.split(b"\n"))


def is_asked(kind: object, source: object) -> bool:
    """Return whether a review asks about a signal of this type and source.

    Commands that hooks heard are counted only: of twelve that a reader judged one was of use.
    """
    heard = kind == "command" and isinstance(source, Mapping) and bool(source.get("hook"))
    return kind != "summary" and not heard


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


def _waits(line: bytes) -> bool:
    # Most lines are recognized by their bytes; others hold the words in their text, or no blank.
    fields = parse_object(line) if _WAITING.encode() in line else None
    if not fields or "id" not in fields:
        return False
    return fields.get("status") == _WAITING and is_asked(fields.get("type"), fields.get("source"))
