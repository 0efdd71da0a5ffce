"""What a client says of an event: JSON of its own, in which any field may be anything."""

from collections.abc import Mapping
from typing import Any


def text_of(payload: Mapping[str, Any], name: str) -> str:
    """Return a text of the payload, "" where it has none of that name."""
    value = payload.get(name)
    return value if isinstance(value, str) else ""
