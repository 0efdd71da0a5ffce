"""The table of transcript formats, and the one call that reads any of them."""

from pathlib import Path

from calmkb.capture.formats.base import JsonObject, TranscriptFormat
from calmkb.capture.formats.claude.format import ClaudeCode
from calmkb.capture.formats.codex import Codex
from calmkb.capture.formats.gemini import Gemini
from calmkb.capture.formats.json_lines import read_lines
from calmkb.capture.formats.turns import Transcript
from calmkb.errors import TranscriptError

FORMATS: dict[str, TranscriptFormat] = {
    Codex.name: Codex(),
    Gemini.name: Gemini(),
    ClaudeCode.name: ClaudeCode(),
}

_SAMPLE = 50


def read_transcript(path: Path) -> Transcript:
    """Read the session in `path`; TranscriptError if no known agent wrote a conversation there."""
    transcript = _format_of(path).read(path)
    if not transcript.turns:
        raise TranscriptError(
            f"Transcript {path} holds no conversation; name the file of a session with prompts"
        )
    return transcript


def _format_of(path: Path) -> TranscriptFormat:
    objects: list[JsonObject] = []
    broken = 0
    for line in read_lines(path):
        objects.extend(line.objects)
        broken += line.broken
        if len(objects) >= _SAMPLE:
            break
    if not objects:
        what = "holds no JSON object" if broken else "is empty"
        raise TranscriptError(f"Transcript {path} {what}; name a session's .jsonl file")
    for known in FORMATS.values():
        if known.recognises(objects):
            return known
    raise TranscriptError(
        f"Transcript {path} is in no known format; known are: {', '.join(sorted(FORMATS))}"
    )
