"""An approved memory that is checked while agents work, and the call that it is held against."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Level = Literal["warn", "block"]
LEVELS: tuple[Level, ...] = ("warn", "block")
CHECKS_LIMIT = 8
"""Checks of one memory: what needs more is not one rule."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """What an agent is about to do: run a command, or put text into a file.

    `path` is from the top of the repository, with `/`; `text` is what a file gets, `before` what
    it replaces. `ran` are the commands that passed since a file was last changed, None where
    nothing was changed. `ends` says that the agent ends its turn, in which it changed code.
    """

    command: str = ""
    path: str = ""
    text: str = ""
    before: str = ""
    committed: bool = False
    ran: Iterable[str] | None = None
    tops: tuple[str, ...] = ()
    ends: bool = False
