"""A session in short: what was said, what was run, what failed; each line with its number."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from calmkb.capture.formats.cleaning import clip, one_line
from calmkb.capture.formats.turns import Transcript, Turn
from calmkb.capture.tool_calls.attempts import EDITS, SHELLS
from calmkb.capture.tool_calls.error_line import find_error_line

LIMIT = 13_000
"""Characters of a session for a reader with little room: some 3,000 tokens."""
_PERSON, _AGENT, _LAST, _CALL, _FAILED = 700, 400, 1_500, 160, 240
_SHORTER = 0.5


@dataclass(frozen=True, slots=True)
class SessionLine:
    """One line of a condensed session; `number` is the line of the transcript it is from."""

    number: int
    speaker: str
    text: str

    def __str__(self) -> str:
        return f"{self.number} {self.speaker}: {self.text}"


def condense(transcript: Transcript, limit: int = LIMIT) -> tuple[SessionLine, ...]:
    """Return the session in at most `limit` characters.

    Where it is longer, texts are shortened first; then calls, then the agent's words from the
    middle are left out. What a person said is left out last.
    """
    turns = [turn for turn in transcript.turns if not turn.is_sidechain]
    share = 1.0
    while True:
        lines = list(_lines(turns, share))
        if _size(lines) <= limit or share < _SHORTER**2:
            break
        share *= _SHORTER
    for speaker in ("call", "agent", "failed", "person"):
        lines = _thinned(lines, speaker, limit)
    return tuple(lines)


def condensed_text(transcript: Transcript, limit: int = LIMIT) -> str:
    """Return the condensed session, a line for each prompt, answer, command and error."""
    return "\n".join(map(str, condense(transcript, limit)))


def shorten(text: str, limit: int) -> str:
    """Return a text whole, or its beginning and its longer end, in at most about `limit`."""
    if len(text) <= limit:
        return text
    left = len(text) - limit
    return f"{text[: limit // 3]}\n[… {left:,} characters left out …]\n{text[left + limit // 3 :]}"


def _lines(turns: Sequence[Turn], share: float) -> Iterator[SessionLine]:
    last = next((turn for turn in reversed(turns) if turn.role == "agent" and not turn.kind), None)
    for turn in turns:
        speaker, length = _speaker(turn, turn is last)
        text = find_error_line(turn.text) if speaker == "failed" else turn.text
        if speaker and (text := one_line(text)):
            text = f"{turn.tool} {text}" if speaker == "call" else text
            yield SessionLine(turn.line, speaker, clip(text, max(40, int(length * share))))


def _speaker(turn: Turn, last: bool) -> tuple[str, int]:
    """Return who a turn is shown as, and how much of it; nothing for what is left out."""
    match turn.role, turn.kind:
        case "person", _:
            return "person", _PERSON
        case _, "command" | "interruption":
            return "person", _CALL
        case "agent", "":
            return "agent", _LAST if last else _AGENT
        case "agent", "call" if turn.tool in SHELLS or turn.tool in EDITS:
            return "call", _CALL  # what it only looked at says little
        case "tool", _ if turn.failed:
            return "failed", _FAILED
        case _, "error" | "compaction":
            return turn.kind, _AGENT
    return "", 0


def _thinned(lines: list[SessionLine], speaker: str, limit: int) -> list[SessionLine]:
    """Leave out lines of one speaker, from the middle of the session outwards, until it fits."""
    over = _size(lines) - limit
    if over <= 0:
        return lines
    middle = len(lines) / 2
    candidates = sorted(
        (place for place, line in enumerate(lines) if line.speaker == speaker),
        key=lambda place: abs(place - middle),
    )
    gone = set()
    for place in candidates:
        if over <= 0:
            break
        over -= len(str(lines[place])) + 1
        gone.add(place)
    return [line for place, line in enumerate(lines) if place not in gone]


def _size(lines: Sequence[SessionLine]) -> int:
    return sum(len(str(line)) + 1 for line in lines)
