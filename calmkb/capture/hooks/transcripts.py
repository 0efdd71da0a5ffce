"""A session's transcript in bounded memory, however long it has grown."""

import re
import tempfile
from pathlib import Path

from calmkb.capture.formats.table import read_transcript
from calmkb.capture.formats.turns import Transcript
from calmkb.errors import TranscriptError

LIMIT = 32 * 1024 * 1024
"""Of a longer file only the end is read."""
_TAIL = 16 * 1024 * 1024
_CHUNK = 1 << 20
_HEAD = 1 << 18
_HEADLESS = re.compile(rb'"entrypoint"\s*:\s*"sdk|"originator"\s*:\s*"codex_exec"')


def read_bounded(path: Path, scratch: Path) -> tuple[Transcript, bool]:
    """Return what was said, and whether it is only the end of it.

    The end of a long file is copied into `scratch`, a private folder, while it is read. Raises
    TranscriptError where there is no conversation, OSError where the disk refuses.
    """
    if not path.is_file():  # a pipe would keep the agent waiting for ever
        raise TranscriptError(f"Transcript {path} does not exist; name a session's .jsonl file")
    if path.stat().st_size <= LIMIT:
        return read_transcript(path), False
    with tempfile.NamedTemporaryFile(prefix=".tail-", suffix=".jsonl", dir=scratch) as tail:
        with path.open("rb") as whole:
            whole.seek(-_TAIL, 2)
            whole.readline(_TAIL)
            while chunk := whole.read(_CHUNK):
                tail.write(chunk)
        tail.flush()
        return read_transcript(Path(tail.name)), True


def has_person(transcript: Transcript) -> bool:
    """Return whether a person said anything: a session of slash commands alone tells nothing."""
    return any(turn.role == "person" and not turn.kind and turn.text for turn in transcript.turns)


def is_automated(path: Path) -> bool:
    """Return whether a program ran the session: CI, a script, another tool's observer."""
    if not path.is_file():  # gone, or a pipe
        return False
    with path.open("rb") as file:
        return _HEADLESS.search(file.read(_HEAD)) is not None
