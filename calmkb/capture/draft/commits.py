"""The commits and pull requests that a session made, as its own shell showed them."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from calmkb.capture.formats.cleaning import one_line
from calmkb.capture.formats.turns import Transcript, Turn
from calmkb.capture.tool_calls.attempts import SHELLS

_COMMAND = re.compile(r"\bgit\b[^\n]*\b(?:commit|cherry-pick|revert|merge|am)\b|\bgh\b|\bjj\b")
_MADE = re.compile(
    r"""(?:^|"output":")\[[^\s\]]+(?: HEAD)?(?: \(root-commit\))? (?P<id>[0-9a-f]{7,40})\]"""
    r" (?P<subject>\S.*?)(?:\\n.*)?$",
    re.MULTILINE,
)
_RUNS = SHELLS | {"exec"}  # Codex's scripts start commands, and may answer in JSON
_AMEND = re.compile(r"\bgit\b[^\n]*\bcommit\b[^\n]*--amend\b")
_REQUEST = re.compile(r"\b(?:gh pr create|glab mr create)\b")
_TITLE = re.compile(
    r"(?:gh pr|glab mr) create\b.{,400}?\s(?:--title|-t)[ =]\\?([\"'])(?P<title>[^$]{1,200}?)\\?\1",
    re.DOTALL,
)
_ADDRESS = re.compile(r"https://\S+/(?:pull|merge_requests)/(?P<number>\d+)\b")


class Made(NamedTuple):
    """A commit as its command reported it; `id` may be abbreviated."""

    id: str
    subject: str


def commits_in(transcript: Transcript) -> tuple[Made, ...]:
    """Return the commits of a session, oldest first, without those that were amended away."""
    found: dict[str, Made] = {}
    for command, answer in _answers(transcript):
        if not _COMMAND.search(command):
            continue
        if _AMEND.search(command) and _MADE.search(answer.text) and found:
            found.popitem()
        for one in _MADE.finditer(answer.text):
            found[one["id"]] = Made(one["id"], one_line(one["subject"].replace('\\"', '"')))
    return tuple(found.values())


def requests_opened(transcript: Transcript) -> tuple[str, ...]:
    """Return the numbers of the pull requests that the session opened."""
    found: dict[str, None] = {}
    for command, answer in _answers(transcript):
        if _REQUEST.search(command) and not answer.failed:
            found |= {one["number"]: None for one in _ADDRESS.finditer(answer.text)}
    return tuple(found)


def titles_opened(transcript: Transcript) -> tuple[str, ...]:
    """Return the titles that the session gave the pull requests which it opened."""
    told = (_TITLE.search(text) for text, answer in _answers(transcript) if not answer.failed)
    return tuple(one_line(one["title"]) for one in told if one)


def shows_a_commit(turn: Turn) -> bool:
    """Return whether a tool's answer holds words of a commit, which a draft quotes."""
    return turn.tool in _RUNS and _MADE.search(turn.text) is not None


def _answers(transcript: Transcript) -> Iterator[tuple[str, Turn]]:
    commands: dict[str, str] = {}
    for turn in transcript.turns:
        if turn.tool not in _RUNS:
            continue
        if turn.kind == "call":
            commands[turn.tool_use_id] = turn.text
        elif turn.kind == "result":
            yield commands.get(turn.tool_use_id, ""), turn
