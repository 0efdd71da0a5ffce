"""Messages of clients repaired that the SDK's parser would refuse; standard input for the SDK.

A JavaScript client that cuts an emoji in two sends half of a surrogate pair (`\\ud83d`). It is no
text, the SDK's parser refuses the whole message, and the client would wait for its own time limit.
"""

import os
import re
import sys
from io import TextIOWrapper
from typing import BinaryIO

import anyio

_ESCAPE = re.compile(
    rb"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    rb"|(?P<half>u[dD][89a-fA-F][0-9a-fA-F]{2})|.)",
    re.DOTALL,
)


class RepairedLines(TextIOWrapper):
    """Lines of JSON in which half a surrogate pair is written as U+FFFD."""

    def readline(self, size: int = -1, /) -> str:  # type: ignore[override]  # as TextIOWrapper's
        """Return the next line, repaired."""
        return repaired(super().readline(size).encode()).decode()


def repaired(message: bytes) -> bytes:
    """Return JSON with every escaped half of a surrogate pair replaced, as long as it was."""
    if b"\\ud" not in message and b"\\uD" not in message:
        return message
    return _ESCAPE.sub(lambda found: rb"\ufffd" if found["half"] else found[0], message)


def repaired_input() -> "anyio.AsyncFile[str]":
    """Return the lines of standard input, repaired."""
    lines = RepairedLines(_private_input(), encoding="utf-8", errors="replace")
    return anyio.wrap_file(lines)


def _private_input() -> BinaryIO:
    """Return standard input on a descriptor of its own, so that no child reads from the client."""
    wire = os.dup(sys.stdin.fileno())
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    return os.fdopen(wire, "rb")
