"""What the agent of a session did, by the log of its client: edits and commits.

Two edits, a commit, or one edit in five minutes are worth a question: chosen on three teams of
Claude Code, where 301 of 318 sessions in which a file was edited, a commit made or the agent
corrected are asked, and none of 6 others.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from calmkb.capture.formats.cleaning import whole_texts
from calmkb.capture.formats.turns import Turn
from calmkb.capture.hooks.transcripts import is_automated, read_bounded
from calmkb.model.words import counted

EDIT_TOOLS = ("Edit", "Write", "MultiEdit", "NotebookEdit")
_EDITS, _LASTING = 2, 5 * 60
"""Edits that are work, and seconds of a session in which one is enough."""
_SHELLS = ("Bash", "shell")


@dataclass(frozen=True, slots=True)
class Work:
    """An edit or a commit of the agent; `at` in seconds since 1970, 0 where the log has no time."""

    at: float
    is_commit: bool


@dataclass(frozen=True, slots=True)
class Log:
    """What a log tells: its work, when the session began, and whether a program ran it."""

    work: Sequence[Work]
    began: float
    is_programs: bool


def matching_lines(log: Path, pattern: str) -> int:
    """Return how many lines of a log the shell counts, before it runs a program."""
    wanted = re.compile(pattern.encode())
    with log.open("rb") as file:
        return sum(wanted.search(line) is not None for line in file)


def read_log(log: Path, session: str, scratch: Path) -> Log:
    """Read a session's log; of a long one the end alone, copied into the folder `scratch`."""
    with whole_texts():  # a commit may come at the end of a long command
        transcript, _ = read_bounded(log, scratch)
    calls = (turn for turn in transcript.turns if turn.kind == "call" and not turn.is_sidechain)
    works = [Work(_seconds(turn.timestamp), _commits(turn))
             for turn in calls if turn.tool in EDIT_TOOLS or _commits(turn)]  # fmt: skip
    is_typed = transcript.agent != "gemini" or _is_typed(log, session)
    is_programs = transcript.automated or is_automated(log) or not is_typed
    return Log(works, _seconds(transcript.started_at), is_programs)


def is_enough(new: Sequence[Work], seconds: float) -> bool:
    """Return whether work of a session, in which so many seconds went by, is worth a question."""
    least = 1 if seconds >= _LASTING else _EDITS
    return len(new) >= least or any(one.is_commit for one in new)


def in_words(new: Sequence[Work]) -> str:
    """Return how many edits and commits there are."""
    commits = sum(one.is_commit for one in new)
    parts = [(len(new) - commits, "edit"), (commits, "commit")]
    return " and ".join(counted(number, what) for number, what in parts if number)


def _seconds(at: datetime | None) -> float:
    return at.timestamp() if at else 0.0


def _commits(turn: Turn) -> bool:
    return turn.tool in _SHELLS and "git commit" in turn.text


def _is_typed(log: Path, session: str) -> bool:
    """Return whether a person typed in a session: all that they type, Gemini CLI writes here."""
    typed = log.parent.parent / "logs.json"
    return typed.is_file() and f'"{session}"'.encode() in typed.read_bytes()
