"""An approved memory that is checked while agents work, and what its checks stopped."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

from calmkb.model.words import counted

Level = Literal["warn", "block"]
LEVELS: tuple[Level, ...] = ("warn", "block")
CHECKS_LIMIT = 8
"""Checks of one memory: what needs more is not one rule."""


@dataclass(frozen=True, slots=True)
class Stopped:
    """How many calls a memory's checks blocked and warned of, and how many a person let pass.

    `sessions` counts the sessions of these calls; `last` is the day of the last one, YYYY-MM-DD.
    """

    blocked: int
    warned: int
    passed: int
    sessions: int
    last: str

    @property
    def words(self) -> str:
        """Such as "blocked 3 calls, let 1 pass, in 2 sessions; the last on 2026-11-20"."""
        parts = [
            f"{verb} {counted(number, 'call')}"
            for verb, number in (("blocked", self.blocked), ("warned of", self.warned))
            if number
        ]
        parts += [f"let {self.passed} pass"] if self.passed else []
        return (
            f"{', '.join(parts)}, in {counted(self.sessions, 'session')}; the last on {self.last}"
        )


class Fault(NamedTuple):
    """What a memory names and its project lacks; `gone` where it was there once."""

    name: str
    message: str
    gone: bool


@dataclass(frozen=True, slots=True)
class NamedState:
    """What a memory speaks of, such as a file, and how it is today: held, moved, changed, gone."""

    name: str
    state: str
    words: str = ""
