"""What a hook's input, or a whole session, says: plain fields for the signal store.

Texts are cleaned before they are cut: the filter would not know half a secret, or half a marked
span, for one.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from calmkb.capture.formats.cleaning import clip, one_line
from calmkb.capture.formats.turns import Transcript, Turn
from calmkb.capture.hooks.payload import text_of
from calmkb.capture.tool_calls.attempts import SHELLS, tool_name
from calmkb.capture.tool_calls.commands import only_looks
from calmkb.capture.tool_calls.error_line import find_error_line, is_noise
from calmkb.model.words import counted
from calmkb.redact.spans import hide_spans

Fields = dict[str, Any]
Clean = Callable[[str], str]
CONTENT, CONTEXT = 100, 200
_ERROR_AT_LEAST, _INPUT = 40, 90
_TOOLS, _FILES = 10, 20
# What find_error_line reads of an error; the end of a long one tells as much as its beginning.
_ERROR_READ = 20_000
_COMMAND_READ = 4_000


def failure_fields(payload: Mapping[str, Any], raw: bytes, clean: Clean) -> Fields | None:
    """Return the signal of a failed tool call.

    None where no tool is named, a person stopped it, it never ran, or only looked for something.
    """
    tool = one_line(text_of(payload, "tool_name"))
    if payload.get("is_interrupt") is True or not tool:
        return None
    error = payload.get("error")
    error = error if isinstance(error, str) else str(error or "")
    if is_noise(error) or _only_looked(tool, payload.get("tool_input")):
        return None
    error = hide_spans(error)
    error = clean(error[:_ERROR_READ] + "\n" + error[_ERROR_READ:][-_ERROR_READ:])
    start = f"{clip(tool, 80)} failed: "
    reason = clip(_reason(error) or "it gave no reason", max(_ERROR_AT_LEAST, CONTENT - len(start)))
    session, use = text_of(payload, "session_id"), text_of(payload, "tool_use_id")
    return {
        "session_id": session, "type": "failure", "confidence": 1,
        "source": {"hook": "PostToolUseFailure"}, "content": start + reason,
        "context": _context(payload.get("tool_input"), error, clean), "tags": [tool],
        "meta": {"key": _key(session, use) if use else hashlib.sha256(raw).hexdigest()[:16]},
    }  # fmt: skip


def _only_looked(tool: str, tool_input: object) -> bool:
    command = tool_input.get("command") if isinstance(tool_input, Mapping) else None
    return tool in SHELLS and isinstance(command, str) and only_looks(command[:_COMMAND_READ])


def _reason(error: str) -> str:
    """Return the line that says why; an exit code alone only where there is no other."""
    if line := find_error_line(error):
        return line
    lines = [line for each in error.split("\n") if (line := one_line(each))]
    if lines and lines[0].lower().startswith("exit code"):
        # A line that a script runner prints before it runs a command says nothing of its end.
        last = [line for line in lines[1:] if not line.startswith(">")]
        return ": ".join([lines[0], *last[-1:]])
    return " ".join(lines)


def _context(tool_input: object, error: str, clean: Clean) -> str:
    """Return what was tried, then what came of it."""
    tried = ""
    if isinstance(tool_input, Mapping):
        named = ("command", "file_path", "path", "pattern", "url", "query")
        known = [tool_input[name] for name in named if isinstance(tool_input.get(name), str)]
        texts = known or [value for value in tool_input.values() if isinstance(value, str)]
        tried = clip(one_line(clean(hide_spans(texts[0])[:_ERROR_READ])), _INPUT) if texts else ""
    return clip(" → ".join(part for part in (tried, one_line(error)) if part), CONTEXT)


def summary_fields(
    transcript: Transcript, session_id: str, clean: Clean, *, partial: bool = False
) -> Fields | None:
    """Return the one summary of a session; None where there was no conversation."""
    turns = [turn for turn in transcript.turns if not turn.is_sidechain]
    talk = [turn for turn in turns if turn.role in ("person", "agent") and turn.kind == ""]
    if not talk:
        return None
    tools = Counter(tool_name(turn.tool) for turn in turns if turn.kind == "call" and turn.tool)
    most = sorted(tools.items(), key=lambda item: (-item[1], item[0]))[:_TOOLS]
    files = list(dict.fromkeys(name for turn in turns for name in turn.files))
    meta: Fields = {
        "key": _key(session_id, "summary"), "turns": len(talk), "tools": dict(most),
        "files": [clean(name) for name in files[:_FILES]],
    }  # fmt: skip
    if partial:
        meta["partial"] = True  # only the end of a very long session was read
    first = next((turn.text for turn in talk if turn.role == "person"), "")
    return {
        "session_id": session_id, "type": "summary", "confidence": 1,
        "source": {"hook": "SessionEnd"}, "content": _line(talk, most, files),
        "context": clip(one_line(clean(hide_spans(first)[:_ERROR_READ])), CONTEXT), "meta": meta,
    }  # fmt: skip


def _line(talk: list[Turn], most: list[tuple[str, int]], files: list[str]) -> str:
    parts = [counted(len(talk), "turn")]
    if most:
        parts.append("tools: " + ", ".join(f"{name} {count}" for name, count in most))
    if files:
        parts.append(f"{counted(len(files), 'file')} touched")
    return "Session of " + "; ".join(parts)


def _key(session: str, what: str) -> str:
    return hashlib.sha256(f"{session}\0{what}".encode(errors="replace")).hexdigest()[:16]
