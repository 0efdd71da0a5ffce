"""Fields of a transcript's objects, read on the assumption that any of them may be anything."""

import contextlib
import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from calmkb.capture.formats.cleaning import clean, clip, clip_middle, is_whole, one_line, scaled
from calmkb.capture.formats.turns import Turn

_INPUT_LIMIT = 1_000
_FILE_KEYS = ("file_path", "notebook_path", "path")
# The input that tells best what a call did; without any of them all of it is shown as JSON.
_TELLING_KEYS = ("command", "file_path", "notebook_path", "pattern", "query", "url", "description")


def call_turn(base: Turn, tool: str, use_id: str, given: dict[str, Any], **more: Any) -> Turn:
    """Return the turn of an agent that calls a tool with an input."""
    fields: dict[str, Any] = {"text": short_input(given), "files": tuple(files_of(given)), **more}
    return replace(base, role="agent", kind="call", tool=tool, tool_use_id=use_id,
                   change=change_of(given), **fields)  # fmt: skip


def result_turn(base: Turn, tool: str, use_id: str, text: str, *, failed: bool) -> Turn:
    """Return the turn of a tool that answers."""
    return replace(base, role="tool", kind="result", tool=tool, tool_use_id=use_id,
                   text=clip_middle(clean(text)), failed=failed)  # fmt: skip


def words_of(content: Any) -> str:
    """Return the texts of a message, a line each."""
    return "\n".join(text for one in blocks_of(content) if (text := text_of(one.get("text"))))


def blocks_of(content: Any) -> list[dict[str, Any]]:
    """Return the blocks of a message, or of what is one block; a text alone is one too."""
    listed = content if isinstance(content, list) else [content]
    blocks = ({"type": "text", "text": one} if isinstance(one, str) else one for one in listed)
    return [one for one in blocks if isinstance(one, dict)]


def short_input(given: dict[str, Any]) -> str:
    """Return what a call was given, in the words that tell most."""
    for key in _TELLING_KEYS:
        if isinstance(given.get(key), str) and given[key].strip():
            return clip(clean(given[key]), scaled(_INPUT_LIMIT))
    return clip(one_line(json.dumps(given, ensure_ascii=False)[: 4 * _INPUT_LIMIT]), _INPUT_LIMIT)


def change_of(given: dict[str, Any]) -> str:
    """Return what a call writes into a file, as lines that go and lines that come.

    Nothing where transcripts are only judged: a file that is written whole would stay in memory.
    """
    if not is_whole():
        return ""
    edits = given.get("edits")
    steps = [one for one in edits if isinstance(one, dict)] if isinstance(edits, list) else [given]
    return clip_middle("\n".join(line for one in steps for line in _changed_lines(one)))


def _changed_lines(step: dict[str, Any]) -> Iterator[str]:
    for sign, keys in (("-", ("old_string",)), ("+", ("new_string", "content", "new_source"))):
        for text in (text_of(step.get(key)) for key in keys):
            yield from (f"{sign} {line}" for line in clean(text).split("\n") if text)


def files_of(given: dict[str, Any]) -> Iterator[str]:
    """Yield the files that a call names."""
    for key in _FILE_KEYS:
        if name := name_of(given.get(key)):
            yield name


def tokens_of(usage: Any, *names: str) -> int:
    """Return the sum of the counts that have these names in a client's usage."""
    if not isinstance(usage, dict):
        return 0
    counts = (usage.get(name) for name in names)
    return sum(n for n in counts if isinstance(n, int) and not isinstance(n, bool) and n > 0)


def time_of(value: Any) -> datetime | None:
    """Return a time in UTC; None where the field holds none."""
    if not isinstance(value, str):
        return None
    try:
        time = datetime.fromisoformat(value)
        return time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def name_of(value: Any) -> str:
    """Return a short text as one line; "" for anything else."""
    return clip(one_line(value), _INPUT_LIMIT) if isinstance(value, str) else ""


def text_of(value: Any) -> str:
    """Return the field if it is text, else ""."""
    return value if isinstance(value, str) else ""


def object_of(value: Any) -> dict[str, Any]:
    """Return the field if it is an object, also one that is JSON in a string, else an empty one."""
    if isinstance(value, str) and value.lstrip().startswith("{"):
        with contextlib.suppress(ValueError, RecursionError):
            value = json.loads(value)
    return value if isinstance(value, dict) else {}
