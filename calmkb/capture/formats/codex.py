"""Codex's rollouts: `{timestamp, type, payload}` a line, the conversation in `response_item`."""

import contextlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from calmkb.capture.formats.base import History, JsonObject, TranscriptFormat
from calmkb.capture.formats.cleaning import clean, clip_middle
from calmkb.capture.formats.fields import name_of, text_of, time_of, tokens_of
from calmkb.capture.formats.json_lines import read_objects
from calmkb.capture.formats.turns import PlanItem, Transcript, Turn

_TYPES = frozenset({"session_meta", "response_item", "event_msg", "turn_context", "compacted"})
# What the client puts in front of a person's words under the person's role.
_INJECTED = re.compile(r"\s*(?:<[a-z_]+>|# AGENTS\.md instructions|# Context from my IDE)")
_SHELLS = frozenset({"shell", "exec_command", "local_shell", "container.exec", "shell_command"})
_PATCHED = re.compile(r"^\*\*\* (?:Add|Update|Delete) File: (.+)$", re.MULTILINE)
_EXIT = re.compile(r"(?:exit(?:ed with)? code:?|exit_code\"?:)\s*(\d+)", re.IGNORECASE)


class Codex(TranscriptFormat):
    """Reads `$CODEX_HOME/sessions/YYYY/MM/DD/rollout-*.jsonl`."""

    name = "codex"
    history = History(
        "codex",
        lambda home, env: Path(env.get("CODEX_HOME") or home / ".codex") / "sessions",
        "rollout-*.jsonl",
    )

    def recognises(self, objects: Sequence[JsonObject]) -> bool:
        """Tell by a payload under one of the client's line types."""
        return any(
            thing.get("type") in _TYPES and isinstance(thing.get("payload"), dict)
            for thing in objects
            if isinstance(thing.get("type"), str)
        )

    def folder_in(self, objects: Sequence[JsonObject]) -> str:
        """Take the folder of the head of the file."""
        found = (thing["payload"] for thing in objects if thing.get("type") == "session_meta")
        return next((name_of(one.get("cwd")) for one in found if isinstance(one, dict)), "")

    def read(self, path: Path) -> Transcript:
        """Read the file line by line; only the texts that are kept stay in memory."""
        collector = _Collector()
        broken: list[int] = []
        for number, thing in read_objects(path, broken):
            collector.take(thing, number)
        return Transcript(
            turns=tuple(collector.turns),
            session_id=collector.session_id,
            working_directory=collector.folder,
            remote=collector.remote,
            automated=collector.automated,
            branch=collector.branch,
            agent=self.name,
            started_at=min(collector.times, default=None),
            ended_at=max(collector.times, default=None),
            broken_lines=tuple(broken),
        )


FORMAT = Codex()


@dataclass
class _Collector:
    """Collects turns and the facts of the session."""

    turns: list[Turn] = field(default_factory=list)
    times: list[datetime] = field(default_factory=list)
    tools: dict[str, str] = field(default_factory=dict)
    codes: dict[str, int] = field(default_factory=dict)
    session_id: str = ""
    folder: str = ""
    branch: str = ""
    remote: str = ""
    automated: bool = False

    def take(self, thing: dict[str, Any], line: int) -> None:
        """Take one object; those of other kinds are passed over."""
        payload = thing.get("payload")
        kind = thing.get("type")
        if not isinstance(payload, dict) or not isinstance(kind, str) or kind not in _TYPES:
            return
        time = time_of(thing.get("timestamp"))
        if time:
            self.times = [min([time, *self.times]), max([time, *self.times])]
        base = Turn(role="system", text="", timestamp=time, line=line)
        if kind == "session_meta":
            self._meta(payload)
        elif kind == "response_item":
            self._item(payload, base)
        elif kind == "event_msg":
            self._event(payload)

    def _meta(self, payload: dict[str, Any]) -> None:
        self.session_id = name_of(payload.get("id")) or self.session_id
        self.folder = name_of(payload.get("cwd")) or self.folder
        # `codex exec`, or a thread that another one began.
        source = payload.get("source")
        self.automated = source == "exec" or (isinstance(source, dict) and "subagent" in source)
        git = payload.get("git")
        if isinstance(git, dict):
            self.branch = name_of(git.get("branch"))
            self.remote = name_of(git.get("repository_url"))

    def _event(self, payload: dict[str, Any]) -> None:
        """Note what a reply cost, and how a command ended: its answer does not always say."""
        if payload.get("type") == "token_count":
            self._count(payload.get("info"))
            return
        code = payload.get("exit_code")
        if payload.get("type") == "exec_command_end" and isinstance(code, int):
            call = text_of(payload.get("call_id"))
            self.codes[call] = code
            for place, turn in enumerate(self.turns):
                if turn.tool_use_id == call and turn.role == "tool":
                    self.turns[place] = replace(turn, failed=code != 0)

    def _count(self, info: Any) -> None:
        """Add the usage of the last reply to the agent's last turn."""
        usage = info.get("last_token_usage") if isinstance(info, dict) else None
        cached = tokens_of(usage, "cached_input_tokens")
        used = max(0, tokens_of(usage, "input_tokens", "output_tokens") - cached)
        places = (n for n in reversed(range(len(self.turns))) if self.turns[n].role == "agent")
        if used and (place := next(places, None)) is not None:
            turn = self.turns[place]
            self.turns[place] = replace(turn, tokens=turn.tokens + used)

    def _item(self, payload: dict[str, Any], base: Turn) -> None:
        kind = payload.get("type")
        if kind == "message":
            self._message(payload, base)
        elif kind in ("function_call", "custom_tool_call", "local_shell_call"):
            self._call(payload, base)
        elif kind in ("function_call_output", "custom_tool_call_output"):
            self._result(payload, base)

    def _message(self, payload: dict[str, Any], base: Turn) -> None:
        content = payload.get("content")
        blocks = content if isinstance(content, list) else []
        texts = [text_of(block.get("text")) for block in blocks if isinstance(block, dict)]
        if payload.get("role") == "assistant":
            if text := clean("\n".join(texts)):
                self.turns.append(replace(base, role="agent", text=clip_middle(text, 4)))
            return
        if payload.get("role") != "user":
            return
        own = [text for text in texts if not _INJECTED.match(text)]
        if text := clean("\n".join(own)):
            self.turns.append(replace(base, role="person", text=clip_middle(text, 4)))

    def _call(self, payload: dict[str, Any], base: Turn) -> None:
        call, name = text_of(payload.get("call_id")), name_of(payload.get("name")) or "shell"
        given = _arguments(payload)
        tool = "shell" if name in _SHELLS else name
        patch = text_of(given.get("input")) or text_of(payload.get("input"))
        files = tuple(dict.fromkeys(_PATCHED.findall(patch or _command(given))))
        if files:
            tool = "Edit"
        self.tools[call] = tool
        self.turns.append(
            replace(
                base, role="agent", kind="call", tool=tool, tool_use_id=call, files=files,
                text=clip_middle(clean(_command(given) or patch)), plan=_plan(name, given),
            )
        )  # fmt: skip

    def _result(self, payload: dict[str, Any], base: Turn) -> None:
        call = text_of(payload.get("call_id"))
        text, code = _output(payload.get("output"))
        code = self.codes.get(call, code)
        self.turns.append(
            replace(
                base, role="tool", kind="result", text=clip_middle(clean(text)), failed=code != 0,
                tool=self.tools.get(call, ""), tool_use_id=call,
            )
        )  # fmt: skip


def _arguments(payload: dict[str, Any]) -> dict[str, Any]:
    """Return a call's arguments, which are JSON in a string, or an action of a shell call."""
    given = payload.get("arguments", payload.get("action"))
    if isinstance(given, str):
        try:
            given = json.loads(given)
        except ValueError:
            return {}
    return given if isinstance(given, dict) else {}


def _command(given: dict[str, Any]) -> str:
    command = given.get("command", given.get("cmd", ""))
    if isinstance(command, list):
        words = [word for word in command if isinstance(word, str)]
        shell = len(words) > 2 and words[1] in ("-c", "-lc")
        return words[2] if shell else " ".join(words)
    return command if isinstance(command, str) else ""


def _plan(name: str, given: dict[str, Any]) -> tuple[PlanItem, ...] | None:
    steps = given.get("plan")
    if name != "update_plan" or not isinstance(steps, list):
        return None
    found = [step for step in steps if isinstance(step, dict) and text_of(step.get("step"))]
    return tuple(
        PlanItem(text=clean(text_of(s.get("step"))), status=name_of(s.get("status")) or "pending")
        for s in found
    )


def _output(value: Any) -> tuple[str, int]:
    """Return what a tool answered and its exit code, 0 where none is given."""
    if isinstance(value, str) and value.lstrip().startswith("{"):
        with contextlib.suppress(ValueError):
            value = json.loads(value)
    if isinstance(value, dict):
        metadata = value.get("metadata")
        code = metadata.get("exit_code") if isinstance(metadata, dict) else None
        text = text_of(value.get("output")) or text_of(value.get("content"))
        return text, code if isinstance(code, int) else int(value.get("success") is False)
    text = value if isinstance(value, str) else ""
    found = _EXIT.search(text[:400])
    return text, int(found[1]) if found else 0
