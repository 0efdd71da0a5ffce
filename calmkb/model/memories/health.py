"""A memory's health: its confidence today, the feedback on it, whether it helped."""

from dataclasses import dataclass
from typing import Literal

from calmkb.model.memories.memories import Confidence

HelpedVerdict = Literal["too early to say", "helped", "came back more often"]


@dataclass(frozen=True, slots=True)
class Standing:
    """A memory's confidence on a day: 0 to 1, and the same as a word."""

    value: float
    word: Confidence


@dataclass(frozen=True, slots=True)
class Rate:
    """In how many of so many sessions something occurred."""

    occurred: int
    sessions: int


@dataclass(frozen=True, slots=True)
class Helping:
    """What a memory is about, in sessions before it was approved and since.

    `ratio` is the rate since over the rate before, `low` and `high` bound it at 95 %; None where
    nothing bounds it. Where it is too early to say, `needed` further sessions without it would show
    that it helped, if any number would. `words` says all of it in one line.
    """

    verdict: HelpedVerdict
    words: str
    before: Rate
    since: Rate
    ratio: float | None = None
    low: float = 0.0
    high: float | None = None
    needed: int | None = None


@dataclass(frozen=True, slots=True)
class MemoryHealth:
    """What records alone say of a memory: the same on every day."""

    helpful: int = 0
    harmful: int = 0
    helped: Helping | None = None
