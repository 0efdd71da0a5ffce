"""The name that Claude Code gives to a working directory."""

import re

_UNMAPPED = re.compile(r"[^A-Za-z0-9]")
_LIMIT = 200
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def mapped_name(working_directory: str) -> str:
    """Return the name of the folder in which the client keeps a directory's sessions."""
    # The client counts in UTF-16 units, so a character beyond the first plane becomes two dashes.
    raw = working_directory.encode("utf-16-le", "surrogatepass")
    units = [low | high << 8 for low, high in zip(raw[::2], raw[1::2], strict=True)]
    name = "".join(_UNMAPPED.sub("-", chr(unit)) for unit in units)
    if len(name) <= _LIMIT:
        return name
    return f"{name[:_LIMIT]}-{_base36(abs(_java_hash(units)))}"


def _java_hash(units: list[int]) -> int:
    value = 0
    for unit in units:
        value = (value * 31 + unit) & 0xFFFFFFFF
    return value - (1 << 32) if value >= 1 << 31 else value


def _base36(number: int) -> str:
    digits = ""
    while number:
        number, digit = divmod(number, 36)
        digits = _DIGITS[digit] + digits
    return digits or "0"
