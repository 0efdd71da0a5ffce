"""Gemini CLI's chats: a header, messages of which the last with an id counts, and changes of both.

A change is `$set`, which may bring messages, or `$rewindTo`, which takes one and all after it.
Older chats are one JSON document with `messages`.
"""

import contextlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from calmkb.capture.formats.base import History, JsonObject, TranscriptFormat
from calmkb.capture.formats.cleaning import clean, clip_middle
from calmkb.capture.formats.fields import (
    change_of,
    files_of,
    name_of,
    object_of,
    short_input,
    text_of,
    time_of,
)
from calmkb.capture.formats.json_lines import LeftOut, read_objects
from calmkb.capture.formats.turns import Transcript, Turn

_TYPES = frozenset({"user", "gemini", "info", "error", "warning"})
_TOOLS = {"run_shell_command": "shell", "write_file": "Write", "replace": "Edit"}
_DEPTH = 3
"""Folders above a chat, or a sub-agent's, up to its project's."""
_FAILED = frozenset({"error", "failed", "cancelled"})


class Gemini(TranscriptFormat):
    """Reads `~/.gemini/tmp/SLUG/chats/session-*.jsonl`, and `.json` of before."""

    name = "gemini"
    history = History("gemini", lambda home, env: home / ".gemini" / "tmp", "session-*.json*")

    def recognises(self, objects: Sequence[JsonObject]) -> bool:
        """Tell by a header with a project hash, a `$set` line, or a message of the model's."""
        return any(
            "$set" in thing
            or "$rewindTo" in thing
            or ("sessionId" in thing and "projectHash" in thing)
            or (thing.get("type") == "gemini" and "content" in thing)
            for thing in objects
        )

    def read(self, path: Path) -> Transcript:
        """Read the file line by line; a message that comes again replaces the one before."""
        header: dict[str, Any] = {}
        messages: dict[str, tuple[int, dict[str, Any]]] = {}
        left = LeftOut(_TYPES)
        for number, thing in read_objects(path, left):
            changed = thing.get("$set", thing)
            if not _is_message(thing) and isinstance(changed, dict):
                header |= changed
            for at, said in enumerate(_messages(changed)):
                key = text_of(said.get("id")) or f"line {number + at}"
                first = messages.get(key, (number + at,))[0]
                messages[key] = (first, said)
            if (rewound := text_of(thing.get("$rewindTo"))) in messages:
                keys = list(messages)
                for key in keys[keys.index(rewound) :]:
                    del messages[key]
        turns = [turn for number, thing in messages.values() for turn in _turns(thing, number)]
        return Transcript(
            turns=tuple(turns),
            session_id=name_of(header.get("sessionId")),
            working_directory=_folder(header) or noted_folder(path),
            agent=self.name,
            **left.fields(turn.timestamp for turn in turns),
        )


FORMAT = Gemini()


def _messages(thing: Any) -> list[dict[str, Any]]:
    """Return the message that an object is, or those that it brings."""
    found = thing.get("messages") if isinstance(thing, dict) else None
    found = found if isinstance(found, list) else [thing]
    return [one for one in found if isinstance(one, dict) and _is_message(one)]


def _is_message(thing: JsonObject) -> bool:
    kind = thing.get("type")
    return isinstance(kind, str) and kind in _TYPES and "content" in thing


def _folder(header: JsonObject) -> str:
    """Return the project's folder, where the client wrote it down."""
    folders = header.get("directories")
    if isinstance(folders, list) and folders:
        return name_of(folders[0])
    return name_of(header.get("projectRoot")) or name_of(header.get("cwd"))


def noted_folder(path: Path) -> str:
    """Return the project's folder by the files beside the chats, or ""."""
    for above in path.parents[:_DEPTH]:
        with contextlib.suppress(OSError, ValueError):
            if place := name_of((above / ".project_root").read_text(encoding="utf-8")):
                return place
    slugs = {above.name for above in path.parents[:_DEPTH]}
    for above in path.parents[: _DEPTH + 2]:
        with contextlib.suppress(OSError, ValueError, RecursionError):
            known = object_of((above / "projects.json").read_text(encoding="utf-8"))
            for place, slug in object_of(known.get("projects")).items():
                if slug in slugs:
                    return name_of(place)
    return ""


def _turns(thing: dict[str, Any], line: int) -> list[Turn]:
    base = Turn(role="system", text="", timestamp=time_of(thing.get("timestamp")), line=line)
    text = clip_middle(clean(_content(thing.get("content"))), 4)
    kind = thing.get("type")
    if kind == "user":
        command = text.startswith("/") and "\n" not in text
        role, own = ("system", "command") if command else ("person", "")
        return [replace(base, role=role, kind=own, text=text)] if text else []  # type: ignore[arg-type]
    if kind != "gemini":
        return [replace(base, kind="error" if kind == "error" else "echo", text=text)]
    turns = [replace(base, role="agent", text=text)] if text else []
    calls = thing.get("toolCalls")
    for call in calls if isinstance(calls, list) else []:
        if isinstance(call, dict):
            turns += _call(call, base)
    return turns


def _content(content: Any) -> str:
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else [content]
    return "\n".join(text_of(part.get("text")) for part in parts if isinstance(part, dict))


def _call(call: dict[str, Any], base: Turn) -> list[Turn]:
    given = call.get("args")
    given = given if isinstance(given, dict) else {}
    name, use_id = name_of(call.get("name")), text_of(call.get("id"))
    tool = _TOOLS.get(name, name)
    call_turn = replace(
        base, role="agent", kind="call", tool=tool, tool_use_id=use_id,
        text=short_input(given), files=tuple(files_of(given)), change=change_of(given),
    )  # fmt: skip
    answer = replace(
        base, role="tool", kind="result", tool=tool, tool_use_id=use_id,
        text=clip_middle(clean(_answer(call))), failed=call.get("status") in _FAILED,
    )  # fmt: skip
    return [call_turn, answer]


def _answer(call: dict[str, Any]) -> str:
    """Return what a tool answered: shown text, or the function's response."""
    shown = call.get("resultDisplay")
    if isinstance(shown, str) and shown:
        return shown
    parts = call.get("result")
    for part in parts if isinstance(parts, list) else []:
        response = part.get("functionResponse") if isinstance(part, dict) else None
        inner = response.get("response") if isinstance(response, dict) else None
        if isinstance(inner, dict):
            return text_of(inner.get("output")) or text_of(inner.get("error"))
    return ""
