"""What one part of the removal returns: steps that can be shown before they are taken."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Step:
    """Something to take out, in words, and what does it; nothing to do for what stays."""

    words: str
    act: Callable[[], None] | None = None
