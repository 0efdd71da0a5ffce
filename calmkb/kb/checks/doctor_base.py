"""A line of a diagnosis."""

from dataclasses import dataclass
from typing import Literal

Level = Literal["ok", "warn", "fail"]


@dataclass(frozen=True, slots=True)
class Line:
    """What was looked at, how it is, and what fixes it if something does."""

    level: Level
    what: str
    said: str
    fix: str = ""
