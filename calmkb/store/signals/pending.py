"""How many signals wait, counted without the machinery of the store: a status line is hurried."""

import json
from pathlib import Path

WAITING = ("captured", "analyzed")


def pending(path: Path) -> int:
    """Return how many signals wait for a review; 0 where there is no file. Raises OSError."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return 0
    return sum(_waits(line) for line in content.split(b"\n"))


def _waits(line: bytes) -> bool:
    # Most lines are recognized by their bytes; others hold the words in their text, or no blank.
    if not any(word.encode() in line for word in WAITING):
        return False
    try:
        values = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(values, dict) and "id" in values and values.get("status") in WAITING
