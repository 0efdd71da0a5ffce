"""From Claude Code's messages to turns: blocks joined, repeats dropped, speakers distinguished."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from calmkb.capture.formats.claude.plan import PlanCollector
from calmkb.capture.formats.claude.speakers import PROMPT_LIMIT, rejection, result_text, user_words
from calmkb.capture.formats.cleaning import clean, clip_middle, scaled
from calmkb.capture.formats.fields import (
    change_of,
    files_of,
    name_of,
    short_input,
    text_of,
    time_of,
    tokens_of,
)
from calmkb.capture.formats.turns import Kind, Role, Turn

_FOLDERS = 20
_USED = ("input_tokens", "cache_creation_input_tokens", "output_tokens")


class TurnCollector:
    """Collects turns in file order, with the facts about the session that lines repeat."""

    def __init__(self) -> None:
        self.turns: list[Turn] = []
        self.times: list[datetime] = []
        self.session_id = self.working_directory = self.branch = ""
        self.folders: dict[str, None] = {}
        self._entrypoints: set[bool] = set()
        self._plan = PlanCollector()
        self._seen: set[str] = set()
        self._answered: set[str] = set()
        self._renamed: dict[str, str] = {}
        self._tools: dict[str, str] = {}
        self._messages: dict[str, int] = {}
        self._used: dict[str, int] = {}
        self._tokens = 0

    def message(self, thing: Mapping[str, Any], message: Mapping[str, Any], line: int) -> None:
        """Take one user or assistant line; a line whose uuid was met before adds nothing."""
        if not self._is_new(text_of(thing.get("uuid"))):
            return
        base = self._base(thing, line)
        self._count(message)
        content = message.get("content")
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        if not isinstance(blocks, list):
            return
        for block in blocks:
            if not isinstance(block, dict):
                continue
            if message.get("role") == "user":
                self._user_block(thing, block, base)
            else:
                self._agent_block(thing, message, block, base)

    @property
    def automated(self) -> bool:
        """Whether a program ran the whole session: a person may go on with one that it began."""
        return self._entrypoints == {True}

    def queued(self, thing: Mapping[str, Any], words: str, line: int) -> None:
        """Take words typed while the agent was busy, unless the client repeated them as a line."""
        found = user_words(words, is_meta=False, is_compaction=False)
        recent = [turn.text for turn in self.turns[-20:] if turn.role == "person"]
        if found and found.role == "person" and found.text not in recent:
            self._add(self._base(thing, line), found.role, found.kind, found.text)

    def _is_new(self, key: str) -> bool:
        if key and key in self._seen:
            return False
        self._seen.add(key)
        return True

    def _base(self, thing: Mapping[str, Any], line: int) -> Turn:
        self.session_id = name_of(thing.get("sessionId")) or self.session_id
        folder = name_of(thing.get("cwd"))
        self.working_directory = self.working_directory or folder
        if folder and len(self.folders) < _FOLDERS:
            self.folders[folder] = None
        if entrypoint := name_of(thing.get("entrypoint")):
            self._entrypoints.add(entrypoint.startswith("sdk"))
        self.branch = name_of(thing.get("gitBranch")) or self.branch
        time = time_of(thing.get("timestamp"))
        if time:
            # Only the two ends matter; keeping every time would grow with the file.
            self.times = [min([time, *self.times]), max([time, *self.times])]
        side = thing.get("isSidechain") is True
        return Turn(role="system", text="", timestamp=time, is_sidechain=side, line=line)

    def _count(self, message: Mapping[str, Any]) -> None:
        """Count what a line adds to the usage of its message, which each of its lines tells."""
        name, used = text_of(message.get("id")), tokens_of(message.get("usage"), *_USED)
        self._tokens += max(0, used - self._used.get(name, 0))
        if name:
            self._used[name] = max(used, self._used.get(name, 0))

    def _add(self, base: Turn, role: Role, kind: Kind, text: str, **more: Any) -> None:
        if role == "agent":
            base, self._tokens = replace(base, tokens=self._tokens), 0
        self.turns.append(replace(base, role=role, kind=kind, text=text, **more))

    def _user_block(self, thing: Mapping[str, Any], block: dict[str, Any], base: Turn) -> None:
        if block.get("type") == "tool_result":
            self._result(block, base)
            return
        found = user_words(
            text_of(block.get("text")),
            is_meta=thing.get("isMeta") is True and not _is_of_channel(thing),
            is_compaction=thing.get("isCompactSummary") is True,
        )
        if found is None:
            return
        # The "user" of a sub-agent is the agent that called it.
        role: Role = "agent" if base.is_sidechain and found.role == "person" else found.role
        self._add(base, role, found.kind, found.text)

    def _result(self, block: dict[str, Any], base: Turn) -> None:
        use_id = text_of(block.get("tool_use_id"))
        use_id = self._renamed.get(use_id, use_id)
        if use_id in self._answered:
            return
        self._answered |= {use_id} if use_id else set()
        failed = block.get("is_error") is True
        text = result_text(block.get("content"))
        words = rejection(text) if failed else None
        self._add(
            base,
            "tool",
            "result" if words is None else "rejection",
            text,
            tool=self._tools.get(use_id, ""),
            tool_use_id=use_id,
            failed=failed,
            plan=self._plan.result(use_id, text, failed),
        )
        if words:
            self._add(
                base,
                "person",
                "rejection",
                words[: scaled(PROMPT_LIMIT)],
                tool=self._tools.get(use_id, ""),
            )

    def _agent_block(
        self,
        thing: Mapping[str, Any],
        message: Mapping[str, Any],
        block: dict[str, Any],
        base: Turn,
    ) -> None:
        if block.get("type") == "text":
            # What no model said ("No response requested.") is the client's word, or its failure.
            own = thing.get("isApiErrorMessage") is True or message.get("model") == "<synthetic>"
            kind: Kind = "error" if own else ""
            self._statement(
                text_of(message.get("id")), clean(text_of(block.get("text"))), kind, base
            )
        elif block.get("type") == "tool_use":
            self._call(text_of(message.get("id")), block, base)

    def _statement(self, message_id: str, text: str, kind: Kind, base: Turn) -> None:
        """Add an agent's words; lines of one message are one turn, and a repeat adds nothing."""
        if not text:
            return
        text = clip_middle(text, 4)
        place = self._messages.get(message_id) if message_id else None
        known = "" if kind or place is None else self.turns[place].text
        is_later = place is not None and any(one.role == "person" for one in self.turns[place:])
        if kind or place is None or (is_later and text not in known):
            if message_id:
                self._messages[message_id] = len(self.turns)
            self._add(base, "system" if kind else "agent", kind, text)
        elif text.startswith(known):
            self.turns[place] = replace(self.turns[place], text=text)
        elif text not in known:
            self.turns[place] = replace(self.turns[place], text=f"{known}\n\n{text}")

    def _call(self, message_id: str, block: dict[str, Any], base: Turn) -> None:
        """Add a call; some models count their ids from 0 again with each message."""
        use_id, name = text_of(block.get("id")), name_of(block.get("name"))
        if not self._is_new(f"call {message_id} {use_id}" if use_id else ""):
            return
        if use_id in self._tools:
            self._renamed[use_id] = use_id = f"{message_id} {use_id}"
        self._tools[use_id] = name
        given = block.get("input")
        if not isinstance(given, dict):
            given = {}
        self._add(
            base,
            "agent",
            "call",
            short_input(given),
            tool=name,
            tool_use_id=use_id,
            files=tuple(files_of(given)),
            change=change_of(given),
            plan=self._plan.call(name, given, use_id),
        )


def _is_of_channel(thing: Mapping[str, Any]) -> bool:
    """Whether a line came over a channel, such as a chat, that a person opened to the agent."""
    origin = thing.get("origin")
    return isinstance(origin, dict) and origin.get("kind") == "channel"
