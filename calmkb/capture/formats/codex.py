"""Codex's rollouts: `{timestamp, type, payload}` a line, the conversation in `response_item`.

From 0.153 on it may be in the events alone (`item_completed`). In mid-2025 a line was a bare item
below a head with `instructions`, or the whole one document with `session` and `items`.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from calmkb.capture.formats import codex_items as items
from calmkb.capture.formats.base import History, JsonObject, TranscriptFormat, codex_home
from calmkb.capture.formats.cleaning import clean, clip_middle
from calmkb.capture.formats.fields import (
    blocks_of,
    call_turn,
    name_of,
    object_of,
    result_turn,
    text_of,
    time_of,
    tokens_of,
)
from calmkb.capture.formats.json_lines import LeftOut, read_objects
from calmkb.capture.formats.turns import Transcript, Turn

_TYPES = frozenset({"session_meta", "response_item", "event_msg", "turn_context", "compacted"})
_ITEMS = frozenset(
    "message reasoning function_call function_call_output custom_tool_call custom_tool_call_output "
    "local_shell_call web_search_call image_generation_call tool_search_call tool_search_output "
    "ghost_snapshot compaction compaction_summary context_compaction".split()
)
# What the client says under the person's role: a text in tags of its own, a picture's place, what
# `/review` asks. A person's words may follow the first.
_INJECTED = re.compile(
    r"\A(?:(?:\s*(?:# AGENTS\.md instructions[^\n]*\s+)?<(user_instructions|environment_context|"
    r"INSTRUCTIONS|permissions instructions|skills_instructions|collaboration_mode|turn_aborted)>"
    r".*?</\1>)+|\s*(?:# AGENTS\.md instructions.*|<(\w+)\b[^<>]*>.*</\2>\s*|"
    r"</?image\b[^<>]*>\s*|Review the (?:current code changes \(staged,|code changes (?:against "
    r"the base branch|introduced by commit)) .*)\Z)",
    re.DOTALL,
)
_REQUEST = "## My request for Codex:"
"""Ends what an editor puts in front of a person's words."""
_SCRIPT = "exec"
"""A script of calls, as newer models write them: what it called is told by events alone."""
_SHELLS = frozenset({"shell", "exec_command", "local_shell", "container.exec", "shell_command"})
_PATCHED = re.compile(r"^\*\*\* (?:Add|Update|Delete) File: (.+)$", re.MULTILINE)
_FOLDER = re.compile(r"<cwd>([^<>\n]+)</cwd>|^Current working directory: (\S.*)$", re.MULTILINE)


def _places(home: Path, env: Mapping[str, str]) -> tuple[Path, ...]:
    folder = codex_home(home, env)
    return folder / "sessions", folder / "archived_sessions"


class Codex(TranscriptFormat):
    """Reads `$CODEX_HOME/sessions/YYYY/MM/DD/rollout-*.jsonl`, and what was archived."""

    name = "codex"
    history = History("codex", _places, "rollout-*.json*")

    def recognises(self, objects: Sequence[JsonObject]) -> bool:
        """Tell by a payload under one of the client's line types, or by a head of mid-2025."""
        return any(
            (name_of(thing.get("type")) in _TYPES and isinstance(thing.get("payload"), dict))
            or {"id", "timestamp"} <= thing.keys() <= {"id", "timestamp", "instructions", "git"}
            or (isinstance(thing.get("session"), dict) and isinstance(thing.get("items"), list))
            for thing in objects
        )

    def folder_in(self, objects: Sequence[JsonObject]) -> str:
        """Take the folder of the head of the file."""
        found = (thing["payload"] for thing in objects if thing.get("type") == "session_meta")
        return next((name_of(one.get("cwd")) for one in found if isinstance(one, dict)), "")

    def read(self, path: Path) -> Transcript:
        """Read the file line by line; only the texts that are kept stay in memory."""
        collector = _Collector()
        left = LeftOut(_TYPES | _ITEMS)
        for number, thing in read_objects(path, left):
            if thing.get("type") == "response_item":
                left.see(object_of(thing.get("payload")).get("type"))
            listed = thing.get("items")
            for at, one in enumerate([thing, *(listed if isinstance(listed, list) else ())]):
                if isinstance(one, dict):
                    collector.take(one, number + at)
        git = object_of(collector.head.get("git"))
        return Transcript(
            turns=collector.all_turns(), session_id=name_of(collector.head.get("id")),
            working_directory=collector.folder, remote=name_of(git.get("repository_url")),
            automated=_is_programs(collector.head), branch=name_of(git.get("branch")),
            agent=self.name, **left.fields(collector.times),
        )  # fmt: skip


FORMAT = Codex()


def _is_programs(head: JsonObject) -> bool:
    """Whether `codex exec` began a session, or another thread."""
    source = head.get("source")
    own = name_of(head.get("thread_source")) in ("", "user") and source != "exec"
    return not own or not object_of(source).keys().isdisjoint(("subagent", "internal"))


@dataclass
class _Collector:
    """Collects turns and the facts of the session."""

    turns: list[Turn] = field(default_factory=list)
    times: list[datetime] = field(default_factory=list)
    tools: dict[str, str] = field(default_factory=dict)
    codes: dict[str, int] = field(default_factory=dict)
    head: JsonObject = field(default_factory=dict)
    folder: str = ""
    forked_at: datetime | None = None
    events: list[Turn] = field(default_factory=list)
    """Turns by the events, which repeat those by the items or say what no item does."""
    rolled_back: list[tuple[int, int]] = field(default_factory=list)
    """The lines at which a person took prompts back, and how many."""

    def all_turns(self) -> tuple[Turn, ...]:
        """Return the turns of the session: what its items and events say, each thing once."""
        words = {turn.text for turn in self.turns if not turn.kind}
        calls = {turn.tool_use_id for turn in self.turns if turn.kind == "call"}
        scripted = any(turn.tool == _SCRIPT for turn in self.turns)
        told = calls if scripted else calls and {turn.tool_use_id for turn in self.events}
        new = [turn for turn in self.events
               if not (turn.tool_use_id in told if turn.kind
                       else any(turn.text in one for one in words))]  # fmt: skip
        if scripted and any(turn.kind for turn in new):
            self.turns = [turn for turn in self.turns if turn.tool != _SCRIPT]
        turns = sorted([*self.turns, *new], key=lambda turn: turn.line)
        for line, count in self.rolled_back:
            asked = [one.line for one in turns if one.role == "person" and one.line < line]
            first = asked[-count:][:1] or [line]
            turns = [one for one in turns if not first[0] <= one.line < line]
        return tuple(map(self._judged, turns))

    def _judged(self, turn: Turn) -> Turn:
        """Return a tool's answer with the exit code that an event gives it."""
        known = turn.role == "tool" and turn.tool_use_id in self.codes
        return replace(turn, failed=self.codes[turn.tool_use_id] != 0) if known else turn

    def take(self, thing: dict[str, Any], line: int) -> None:
        """Take one object; those of other kinds are passed over, and those of a forked thread."""
        kind, payload = name_of(thing.get("type")), thing.get("payload")
        head = object_of(thing.get("session")) or thing
        time = time_of(head.get("timestamp"))
        if self.forked_at and time and time < self.forked_at:
            return
        if time:
            self.times = [min([time, *self.times]), max([time, *self.times])]
        base = Turn(role="system", text="", timestamp=time, line=line)
        if not kind:
            self._meta(head, time)
        elif kind not in _TYPES:
            self._item(thing, base)
        elif not isinstance(payload, dict):
            return
        elif kind == "session_meta":
            self._meta(payload, time)
        elif kind == "response_item":
            self._item(payload, base)
        elif kind == "event_msg":
            self._event(payload, base)

    def _meta(self, payload: dict[str, Any], time: datetime | None) -> None:
        """Take the head of the file; another one after it is that of the thread that was forked."""
        # A fork writes the lines of its thread with new times, but not what the head says.
        if began := time_of(payload.get("timestamp")):
            self.times.append(began)
        if payload.get("id") and not self.head:
            self.head = payload
            self.folder = name_of(payload.get("cwd")) or self.folder
            self.forked_at = time if payload.get("forked_from_id") else None

    def _event(self, payload: dict[str, Any], base: Turn) -> None:
        """Note what a reply cost, and how a command ended: its answer does not always say."""
        match payload.get("type"):
            case "token_count":
                self._count(payload.get("info"))
            case "exec_command_end" if isinstance(code := payload.get("exit_code"), int):
                self.codes[text_of(payload.get("call_id"))] = code
            case "thread_rolled_back" if isinstance(count := payload.get("num_turns"), int):
                self.rolled_back.append((base.line, max(count, 1)))
            case "turn_aborted" if payload.get("reason") == "interrupted":
                self.turns.append(replace(base, kind="interruption", text="Interrupted"))
        if said := items.said(payload):
            kept, self.turns = self.turns, self.events
            for one in said:
                self._item(one, base)
            self.turns = kept

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
        texts = [text_of(block.get("text")) for block in blocks_of(payload.get("content"))]
        if payload.get("role") == "assistant":
            if text := clean("\n".join(texts)):
                self.turns.append(replace(base, role="agent", text=clip_middle(text, 4)))
            return
        if payload.get("role") != "user":
            return
        asked = (text.rpartition(_REQUEST)[2] for text in texts)
        own = [_INJECTED.sub("", text, count=1) for text in asked]
        if not self.folder and (found := _FOLDER.search("\n".join(texts))):
            self.folder = name_of(found[1] or found[2])
        if text := clean("\n".join(own)):
            self.turns.append(replace(base, role="person", text=clip_middle(text, 4)))

    def _call(self, payload: dict[str, Any], base: Turn) -> None:
        call, name = text_of(payload.get("call_id")), name_of(payload.get("name")) or "shell"
        given = items.arguments(payload)
        tool = "shell" if name in _SHELLS else name
        patch = text_of(given.get("input")) or text_of(payload.get("input"))
        files = tuple(dict.fromkeys(_PATCHED.findall(patch or items.command(given))))
        if files:
            tool = "Edit"
        self.tools[call] = tool
        text = clip_middle(clean(items.command(given) or patch))
        turn = call_turn(base, tool, call, {}, files=files, text=text)
        self.turns.append(replace(turn, plan=items.plan(name, given)))

    def _result(self, payload: dict[str, Any], base: Turn) -> None:
        call = text_of(payload.get("call_id"))
        text, code = items.output(payload.get("output"))
        tool = self.tools.get(call, "")
        self.turns.append(result_turn(base, tool, call, text, failed=code != 0))
