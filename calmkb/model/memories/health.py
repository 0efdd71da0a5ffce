"""A memory's health: its confidence today, and the feedback on it."""

from dataclasses import dataclass

from calmkb.model.memories.memories import Confidence


@dataclass(frozen=True, slots=True)
class Standing:
    """A memory's confidence on a day: 0 to 1, and the same as a word."""

    value: float
    word: Confidence


@dataclass(frozen=True, slots=True)
class FeedbackCounts:
    """How often feedback says that a memory helped, and that it harmed."""

    helpful: int = 0
    harmful: int = 0
