"""How many signals wait, counted without loading the store, for the status line."""

import json
from pathlib import Path

_WAITING, _NEVER_ASKED = "captured", "summary"


def pending(path: Path) -> int:
    """Return how many signals a review would ask about; 0 where there is no file.

    Raises OSError.
    """
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return 0
    return sum(_waits(line) for line in content.split(b"\n"))


def _waits(line: bytes) -> bool:
    # Most lines are recognized by their bytes; others hold the words in their text, or no blank.
    if _WAITING.encode() not in line:
        return False
    try:
        values = json.loads(line)
    except (ValueError, RecursionError):
        return False
    if not isinstance(values, dict) or "id" not in values:
        return False
    return values.get("status") == _WAITING and values.get("type") != _NEVER_ASKED
