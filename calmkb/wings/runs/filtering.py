"""What an agent says, made fit to be kept: filtered, then cut."""

from collections.abc import Callable, Mapping
from typing import Any

from calmkb.wings.runs.store.values import storable

_NOTE = "\n[… cut: {} more characters]"
KEY_CHARACTERS, SUMMARY = 200, 200


def filtered(value: Any, clean: Callable[[str], str]) -> Any:
    """Return a JSON value with every text in it filtered, keys too."""
    if isinstance(value, str):
        return clean(storable(value))
    if isinstance(value, Mapping):
        return {clean(storable(str(k))): filtered(v, clean) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [filtered(item, clean) for item in value]
    return value if isinstance(value, bool | int | float) or value is None else clean(repr(value))


def cut_deep(value: Any, limit: int, *, keys: int = KEY_CHARACTERS) -> Any:
    """Return a JSON value whose texts are at most `limit` characters in total."""
    room = limit

    def cut(item: Any, depth: int) -> Any:
        nonlocal room
        if depth > 20:
            return "[… nested too deeply]"
        if isinstance(item, str):
            most, room = max(room, 0), room - len(item)
            return item if len(item) <= most else item[:most] + _NOTE.format(len(item) - most)
        if isinstance(item, Mapping):
            return {str(k)[:keys]: cut(v, depth + 1) for k, v in list(item.items())[:500]}
        if isinstance(item, list | tuple):
            return [cut(v, depth + 1) for v in list(item)[:500]]
        return item

    return cut(value, 0)
