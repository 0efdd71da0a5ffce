"""Gemini CLI's chats: a header, messages of which the last with an id counts, and changes of both.

A change is `$set`, which may bring messages, or `$rewindTo`, which takes one and all after it.
Older chats are one JSON document with `messages`.
"""

import contextlib
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from calmkb.capture.formats.base import History, JsonObject, TranscriptFormat, gemini_home
from calmkb.capture.formats.cleaning import clean, clip_middle
from calmkb.capture.formats.fields import (
    call_turn,
    name_of,
    object_of,
    result_turn,
    text_of,
    time_of,
    words_of,
)
from calmkb.capture.formats.json_lines import LeftOut, read_objects
from calmkb.capture.formats.turns import Transcript, Turn

_TYPES = frozenset({"user", "gemini", "info", "error", "warning"})
_TOOLS = {"run_shell_command": "shell", "write_file": "Write", "replace": "Edit"}
_DEPTH = 3  # folders above a chat, or a sub-agent's, up to its project's
_FAILED = frozenset({"error", "failed", "cancelled"})
_PREAMBLE = "This is the Gemini CLI. We are setting up the context"
"""Begins what older versions said first in the person's name."""


def _place(home: Path, env: Mapping[str, str]) -> Path:
    return gemini_home(home, env) / "tmp"


class _Chats(History):
    """A chat in the older form, one document, may have been taken up in the newer."""

    def files(self, folder: Path) -> Iterator[Path]:
        """Yield each chat once."""
        found = {*super().files(folder)}
        older = {path for path in found if path.suffix == ".json"}
        yield from found - {path for path in older if path.with_suffix(".jsonl") in found}


class Gemini(TranscriptFormat):
    """Reads `~/.gemini/tmp/SLUG/chats/session-*.jsonl`, and `.json` of before."""

    name = "gemini"
    history = _Chats("gemini", _place, "session-*.json*")

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
            turns=tuple(turns), session_id=name_of(header.get("sessionId")),
            working_directory=noted_folder(path) or _folder(header), agent=self.name,
            automated=header.get("kind") == "subagent",
            **left.fields(turn.timestamp for turn in turns),
        )  # fmt: skip


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
    """Return the folder that the client wrote down, else the first that was added."""
    folders = header.get("directories")
    added = folders[0] if isinstance(folders, list) and folders else ""
    return name_of(header.get("projectRoot")) or name_of(header.get("cwd")) or name_of(added)


def noted_folder(path: Path) -> str:
    """Return the project's folder by the files beside the chats, or ""."""
    for above in path.parents[:_DEPTH]:
        with contextlib.suppress(OSError, ValueError):
            if place := name_of((above / ".project_root").read_text(encoding="utf-8-sig")):
                return place
    slugs = {above.name for above in path.parents[:_DEPTH]}
    for above in path.parents[: _DEPTH + 2]:
        with contextlib.suppress(OSError, ValueError, RecursionError):
            known = object_of((above / "projects.json").read_text(encoding="utf-8"))
            for place, slug in object_of(known.get("projects")).items():
                if not slugs.isdisjoint({slug, hashlib.sha256(place.encode()).hexdigest()}):
                    return name_of(place)
    return ""


def _turns(thing: dict[str, Any], line: int) -> list[Turn]:
    base = Turn(role="system", text="", timestamp=time_of(thing.get("timestamp")), line=line)
    said = clean(words_of(thing.get("content")))
    # What is shown beside an answer, or a hook's question, are the person's last words again.
    shown = said and clean(words_of(thing.get("displayContent")))
    text = clip_middle(shown or said, 4)
    kind = thing.get("type")
    if kind == "user":
        command = text.startswith("/") and "\n" not in text
        role, own = ("system", "command") if command else ("person", "")
        if text.startswith(_PREAMBLE):
            role, own = "system", "echo"
        return [replace(base, role=role, kind=own, text=text)] if text else []  # type: ignore[arg-type]
    if kind != "gemini":
        return [replace(base, kind="error" if kind == "error" else "echo", text=text)]
    turns = [replace(base, role="agent", text=text)] if text else []
    calls = thing.get("toolCalls")
    for call in calls if isinstance(calls, list) else []:
        if isinstance(call, dict):
            turns += _call(call, base)
    return turns


def _call(call: dict[str, Any], base: Turn) -> list[Turn]:
    given = object_of(call.get("args"))
    name, use_id = name_of(call.get("name")), text_of(call.get("id"))
    tool = _TOOLS.get(name, name)
    answer = result_turn(base, tool, use_id, _answer(call), failed=call.get("status") in _FAILED)
    return [call_turn(base, tool, use_id, given), answer]


def _answer(call: dict[str, Any]) -> str:
    """Return what a tool answered: shown text, or the function's response."""
    shown = call.get("resultDisplay")
    if isinstance(shown, str) and shown:
        return shown
    parts = call.get("result")
    answers = (object_of(object_of(part).get("functionResponse"))
               for part in (parts if isinstance(parts, list) else []))  # fmt: skip
    inner = next((found for one in answers if (found := object_of(one.get("response")))), {})
    return text_of(inner.get("output")) or text_of(inner.get("error"))
