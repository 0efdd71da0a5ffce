"""A transcript in short: what was said and done, and what failed, for a reader with little room."""

from calmkb.capture.formats.cleaning import clip, one_line
from calmkb.capture.formats.turns import Transcript, Turn

LIMIT = 13_000
"""Characters of a session in short: some 3,000 tokens."""
_WORDS, _CALL, _ERROR = 400, 160, 300
_SILENT = ("compaction", "echo")


def condense(transcript: Transcript, limit: int = LIMIT) -> str:
    """Return a line for each prompt, answer, tool call and error, the middle left out if long."""
    lines = [line for turn in transcript.turns if (line := _line(turn))]
    return shorten("\n".join(lines), limit)


def shorten(text: str, limit: int) -> str:
    """Return a text whole, or its beginning and its longer end, in at most about `limit`."""
    if len(text) <= limit:
        return text
    left = len(text) - limit
    return f"{text[: limit // 3]}\n[… {left:,} characters left out …]\n{text[left + limit // 3 :]}"


def _line(turn: Turn) -> str:
    if turn.is_sidechain or turn.kind in _SILENT or turn.role == "system":
        return ""
    words = one_line(turn.text)
    if turn.role == "tool":
        return f"{turn.tool or 'tool'} failed: {clip(words, _ERROR)}" if turn.failed else ""
    if turn.kind == "call":
        return f"agent runs {turn.tool}: {clip(words, _CALL)}"
    if turn.kind in ("interruption", "rejection", "error"):
        return f"{turn.kind}: {clip(words, _WORDS)}"
    return f"{turn.role}: {clip(words, _WORDS)}" if words else ""
