"""Copilot CLI's events: `{type, data, id, timestamp, parentId}` a line, the session's own first."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from calmkb.capture.formats.base import History, JsonObject, TranscriptFormat
from calmkb.capture.formats.cleaning import clean, clip_middle
from calmkb.capture.formats.fields import (
    call_turn,
    name_of,
    object_of,
    result_turn,
    text_of,
    time_of,
)
from calmkb.capture.formats.json_lines import LeftOut, read_objects
from calmkb.capture.formats.turns import Transcript, Turn

_KINDS = frozenset({"user.message", "assistant.message", "tool.execution_start"})
_FAMILIES = frozenset(
    "session user assistant tool subagent hook skill system permission pending_messages "
    "abort".split()
)
_TOOLS = {"bash": "shell", "powershell": "shell", "create": "Write", "edit": "Edit"}
_DENIED = frozenset({"denied", "rejected"})


@dataclass(frozen=True, slots=True)
class _Sessions(History):
    """Sessions lie in a folder each; those of older versions in a file each."""

    def files(self, folder: Path) -> Iterator[Path]:
        """Yield the events of each session; what an agent wrote beside them is none."""
        for path in folder.rglob(self.pattern):
            if path.is_file() and (path.name == "events.jsonl" or path.parent == folder):
                yield path


class Copilot(TranscriptFormat):
    """Reads `~/.copilot/session-state/ID/events.jsonl`."""

    name = "copilot"
    history = _Sessions(
        "copilot",
        lambda home, env: Path(env.get("COPILOT_HOME") or home / ".copilot") / "session-state",
        "*.jsonl",
    )

    def recognises(self, objects: Sequence[JsonObject]) -> bool:
        """Tell by an event whose data is an object."""
        return any(
            isinstance(thing.get("data"), dict)
            and (
                text_of(thing.get("type")).startswith("session.")
                or text_of(thing.get("type")) in _KINDS
            )
            for thing in objects
        )

    def folder_in(self, objects: Sequence[JsonObject]) -> str:
        """Take the folder of the event that starts a session."""
        found = (_context(thing) for thing in objects)
        return next((folder for one in found if (folder := name_of(one.get("cwd")))), "")

    def read(self, path: Path) -> Transcript:
        """Read the file line by line; only the texts that are kept stay in memory."""
        collector, left = _Collector(), LeftOut(_FAMILIES)
        for number, thing in read_objects(path, left):
            collector.take(thing, number)
        return Transcript(
            turns=tuple(collector.turns), session_id=collector.session_id,
            working_directory=next(iter(collector.folders), ""), folders=tuple(collector.folders),
            branch=collector.branch, remote=collector.remote, agent=self.name,
            **left.fields(turn.timestamp for turn in collector.turns),
        )  # fmt: skip


FORMAT = Copilot()


@dataclass
class _Collector:
    """Collects turns and the facts of the session."""

    turns: list[Turn] = field(default_factory=list)
    folders: dict[str, None] = field(default_factory=dict)
    tools: dict[str, str] = field(default_factory=dict)
    session_id: str = ""
    branch: str = ""
    remote: str = ""

    def take(self, thing: dict[str, Any], line: int) -> None:
        """Take one event; those of other kinds are passed over."""
        data = object_of(thing.get("data"))
        # Text before its tool calls; a sub-agent's events name the call that it works for.
        side = bool(text_of(data.get("parentToolCallId")))
        base = Turn(
            role="system", text="", timestamp=time_of(thing.get("timestamp")), line=line,
            is_sidechain=side,
        )  # fmt: skip
        match thing.get("type"):
            case "session.start" | "session.resume" | "session.context_changed":
                self._context(thing, data)
            case "user.message":
                self._message(data, base)
            case "assistant.message" if text := clean(text_of(data.get("content"))):
                self.turns.append(replace(base, role="agent", text=clip_middle(text, 4)))
            case "tool.execution_start":
                self._call(data, base)
            case "tool.execution_complete":
                self._result(data, base)

    def _context(self, thing: JsonObject, data: dict[str, Any]) -> None:
        context = _context(thing)
        self.session_id = self.session_id or name_of(data.get("sessionId"))
        if folder := name_of(context.get("cwd")):
            self.folders[folder] = None
        self.branch = name_of(context.get("branch")) or self.branch
        host, name = name_of(context.get("repositoryHost")), name_of(context.get("repository"))
        self.remote = f"https://{host}/{name}" if host and name else self.remote

    def _message(self, data: dict[str, Any], base: Turn) -> None:
        """Take a prompt; what a skill or the client put in names its source."""
        text = clip_middle(clean(text_of(data.get("content"))), 4)
        typed = text_of(data.get("source")) in ("", "user") and not base.is_sidechain
        if not text:
            return
        if typed and text.startswith("/") and "\n" not in text:
            self.turns.append(replace(base, kind="command", text=text))
        else:
            role = "person" if typed else "system"
            kind = "" if typed else "echo"
            self.turns.append(replace(base, role=role, kind=kind, text=text))  # type: ignore[arg-type]

    def _call(self, data: dict[str, Any], base: Turn) -> None:
        call, name = text_of(data.get("toolCallId")), name_of(data.get("toolName"))
        self.tools[call] = _TOOLS.get(name, name)
        given = object_of(data.get("arguments"))
        self.turns.append(call_turn(base, self.tools[call], call, given))

    def _result(self, data: dict[str, Any], base: Turn) -> None:
        call, error = text_of(data.get("toolCallId")), object_of(data.get("error"))
        answer = object_of(data.get("result"))
        text = text_of(error.get("message")) or text_of(answer.get("content"))
        text, failed = text or text_of(data.get("result")), data.get("success") is False
        turn = result_turn(base, self.tools.get(call, ""), call, text, failed=failed)
        denied = text_of(error.get("code")) in _DENIED
        self.turns.append(replace(turn, kind="rejection") if denied else turn)


def _context(thing: JsonObject) -> dict[str, Any]:
    data = object_of(thing.get("data"))
    return object_of(data.get("context")) or data
