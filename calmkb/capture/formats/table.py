"""The transcript formats by name, and the one call that reads any of them."""

import re
from dataclasses import replace
from importlib import import_module
from itertools import islice
from pathlib import Path
from pkgutil import iter_modules, resolve_name

from calmkb.capture import formats
from calmkb.capture.formats.base import JsonObject, Stamp, TranscriptFormat, file_stamp
from calmkb.capture.formats.cleaning import fitting_texts
from calmkb.capture.formats.json_lines import LeftOut, read_objects
from calmkb.capture.formats.turns import Transcript, Turn
from calmkb.errors import TranscriptError
from calmkb.system.entry_points import added


def _formats() -> dict[str, TranscriptFormat]:
    """Return `FORMAT` of every module here and of other packages, in the order they are tried.

    Another installed package declares its own as an entry point in the group `calmkb.formats`.
    """
    modules = [import_module(f"{formats.__name__}.{one.name}")
               for one in iter_modules(formats.__path__) if one.name != "table"]  # fmt: skip
    found = [module.FORMAT for module in modules if hasattr(module, "FORMAT")]
    found += [resolve_name(place) for place in added("calmkb.formats").values()]
    return {one.name: one for one in sorted(found, key=lambda one: (one.order, one.name))}


FORMATS = _formats()

_SAMPLE = 50
CLIENT_COMMAND = re.compile(
    r"\s*(?:/(?:exit|quit|clear|compact|model|help|login|logout|status|config|cost|resume|new|effort"
    r"|add-dir|permissions|rename|fast|theme|mcp|plugin|ide|output-style|export|rewind"
    r"|(?:calmkb:)?(?:wrapup|reflect(?:ion|-toggle)?))"
    r"(?: [^\n]*)?|exit|quit|bye|q|:w?q!?)\s*\Z",
    re.IGNORECASE,
)
"""What is said to a client, not to the agent."""


def read_transcript(path: Path) -> Transcript:
    """Read the session in `path`; TranscriptError if no known agent wrote a conversation there."""
    try:
        with fitting_texts(path.stat().st_size if path.is_file() else 0):
            transcript = _format_of(path)[0].read(path)
    except OSError as error:  # it went while it was read
        raise TranscriptError(f"{path} cannot be read: {error.strerror or error}") from error
    if not transcript.turns:
        raise TranscriptError(
            f"Transcript {path} holds no conversation; name the file of a session with prompts"
        )
    turns = tuple(
        _command(turn) if CLIENT_COMMAND.match(turn.text) else turn for turn in transcript.turns
    )
    return replace(transcript, turns=turns)


def _command(turn: Turn) -> Turn:
    """Return what a person typed to the client as that, in whatever form its agent wrote it."""
    is_prompt = turn.role == "person" and not turn.kind
    return replace(turn, role="system", kind="command") if is_prompt else turn


def session_stamp(path: Path) -> Stamp | None:
    """Return what changes with the session in `path`, without reading it; None where it is gone.

    Raises TranscriptError for a name that no session has.
    """
    claiming = next((known for known in FORMATS.values() if known.claims(path)), None)
    try:
        return claiming.stamp(path) if claiming else file_stamp(path)
    except (OSError, ValueError):  # ValueError: a path with a NUL in it
        return None


def first_folder(path: Path) -> str:
    """Return the folder that the session in `path` began in, by its first lines; "" if unsaid."""
    try:
        known, objects = _format_of(path)
    except TranscriptError:
        return ""  # reading it says why
    return known.folder_in(objects)


def _format_of(path: Path) -> tuple[TranscriptFormat, list[JsonObject]]:
    for known in FORMATS.values():
        if known.claims(path):
            return known, []
    left = LeftOut()
    objects: list[JsonObject] = [one for _, one in islice(read_objects(path, left), _SAMPLE)]
    if not objects:
        what = "holds no readable JSON object" if left.broken else "is empty"
        raise TranscriptError(f"Transcript {path} {what}; name a session's .jsonl file")
    for known in FORMATS.values():
        if known.recognises(objects):
            return known, objects
    raise TranscriptError(
        f"Transcript {path} is in no known format; known are: {', '.join(sorted(FORMATS))}"
    )
