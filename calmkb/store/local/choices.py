"""What a person chose for this machine: to keep sessions, and a program that writes them.

It stays outside every repository: settings that come with a clone must not start programs.
"""

import os
from dataclasses import dataclass
from pathlib import Path

from calmkb.store.local.state_files import load, record_of, save

_KEEPING, _WRITING = "keeping.json", "writing.json"
LIMIT = 2 * 1024**3


@dataclass(frozen=True, slots=True)
class KeepingChoice:
    """Sessions are kept unless a person switched that off; `limit` is in bytes, compressed.

    `stamp` changes with each switch and removal: who began at another one writes nothing more.
    `removed_at` is when all that was kept was removed, in seconds since 1970. `excluded` are names
    of projects and absolute folders whose sessions are not kept.
    """

    on: bool = True
    limit: int = LIMIT
    stamp: str = ""
    removed_at: float = 0.0
    excluded: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class WritingChoice:
    """The program by name or command line, its model, and what it may cost and take.

    `budget` is in dollars a day, `seconds` are those of a session. With `commits` entries are
    committed unseen. `since`, in seconds since 1970, is when it was switched on: what ended before
    is not sent.
    """

    program: str
    model: str
    budget: float
    seconds: float
    commits: bool
    since: float


def save_keeping(state: Path, choice: KeepingChoice) -> None:
    """Remember whether sessions are kept; StoreError where the disk refuses."""
    save(state / _KEEPING, choice)


def keeping(state: Path) -> KeepingChoice:
    """Return whether sessions are kept; a choice that cannot be read for sure keeps nothing."""
    place = state / _KEEPING
    if not os.path.lexists(place):
        return KeepingChoice()
    row = load(place)
    is_whole = isinstance(row, dict) and {"on", "limit"} <= row.keys()
    return (record_of(KeepingChoice, row) if is_whole else None) or KeepingChoice(on=False)


def may_keep(state: Path, begun: str) -> bool:
    """Return whether what began at the stamp `begun` may write still."""
    choice = keeping(state)
    return choice.on and choice.stamp == begun


def save_writing(state: Path, choice: WritingChoice | None) -> None:
    """Remember what writes sessions, None for no program; StoreError where the disk refuses."""
    if choice is None:
        (state / _WRITING).unlink(missing_ok=True)
    else:
        save(state / _WRITING, choice)


def writing(state: Path) -> WritingChoice | None:
    """Return what writes sessions; None where nothing does, or it cannot be read for sure."""
    return record_of(WritingChoice, load(state / _WRITING))
