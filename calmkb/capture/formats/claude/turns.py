"""From Claude Code's messages to turns: blocks joined, repeats dropped, speakers distinguished."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from calmkb.capture.formats.claude.plan import PlanCollector
from calmkb.capture.formats.claude.speakers import PROMPT_LIMIT, rejection, result_text, user_words
from calmkb.capture.formats.cleaning import clean, clip_middle, scaled
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
        self._queued: list[str] = []
        self._names: dict[str, list[str]] = {}
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
        for block in blocks_of(message.get("content")):
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
        said = (turn.text for turn in self.turns if turn.role == "person")
        if found and found.role == "person" and found.text not in said:
            self._queued.append(found.text)
            self._add(replace(self._base(thing, line), **found._asdict()))

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

    def _add(self, turn: Turn) -> None:
        if turn.role == "agent":
            turn, self._tokens = replace(turn, tokens=self._tokens), 0
        elif turn.role == "person":  # a message goes on until then; some models repeat its id
            self._messages.clear()
        self.turns.append(turn)

    def _user_block(self, thing: Mapping[str, Any], block: dict[str, Any], base: Turn) -> None:
        if block.get("type") == "tool_result":
            self._result(block, base)
            return
        text = text_of(block.get("text"))
        is_compaction = thing.get("isCompactSummary") is True
        found = user_words(text, is_meta=_is_clients(thing, text), is_compaction=is_compaction)
        if found is None:
            return
        if found.text in self._queued:  # the line of what was queued
            self._queued.remove(found.text)
            return
        # The "user" of a sub-agent is the agent that called it.
        role: Role = "agent" if base.is_sidechain and found.role == "person" else found.role
        self._add(replace(base, role=role, kind=found.kind, text=found.text))

    def _result(self, block: dict[str, Any], base: Turn) -> None:
        use_id = text_of(block.get("tool_use_id"))
        names = self._names.get(use_id, [use_id])
        use_id = next((name for name in names if name not in self._answered), names[-1])
        if use_id in self._answered:
            return
        self._answered |= {use_id} if use_id else set()
        failed = block.get("is_error") is True
        text = result_text(block.get("content"))
        words = rejection(text) if failed else None
        turn = result_turn(base, self._tools.get(use_id, ""), use_id, text, failed=failed)
        kind: Kind = "result" if words is None else "rejection"
        self._add(replace(turn, kind=kind, plan=self._plan.result(use_id, text, failed)))
        if words:
            said = replace(base, tool=turn.tool, text=words[: scaled(PROMPT_LIMIT)])
            self._add(replace(said, role="person", kind="rejection"))

    def _agent_block(
        self, thing: Mapping[str, Any], message: Mapping[str, Any], block: dict[str, Any],
        base: Turn,
    ) -> None:  # fmt: skip
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
        copied = f"said {message_id} {base.timestamp} {hash(text)}"
        if not text or (message_id and not self._is_new(copied)):
            return
        text = clip_middle(text, 4)
        place = self._messages.get(message_id) if message_id else None
        known = "" if kind or place is None else self.turns[place].text
        if kind or place is None:
            if message_id:
                self._messages[message_id] = len(self.turns)
            self._add(replace(base, role="system" if kind else "agent", kind=kind, text=text))
        elif text.startswith(known):
            self.turns[place] = replace(self.turns[place], text=text)
        elif text not in known:
            self.turns[place] = replace(self.turns[place], text=f"{known}\n\n{text}")

    def _call(self, message_id: str, block: dict[str, Any], base: Turn) -> None:
        """Add a call; some models count their ids from 0 again, some give every message one id."""
        use_id, name = text_of(block.get("id")), name_of(block.get("name"))
        given = object_of(block.get("input"))
        said = message_id or base.timestamp
        if not self._is_new(f"call {said} {use_id} {hash(str(given))}" if use_id else ""):
            return
        names = self._names.setdefault(use_id, [])
        names.append(use_id if not names else f"{use_id} {len(names)}")
        use_id = names[-1]
        self._tools[use_id] = name
        plan = self._plan.call(name, given, use_id)
        self._add(call_turn(base, name, use_id, given, plan=plan))


def _is_clients(thing: Mapping[str, Any], text: str) -> bool:
    """Whether the client says a line: not what a person sent over a channel, such as a chat."""
    origin = object_of(thing.get("origin")).get("kind", "human")
    is_sent = origin == "channel" or text.lstrip().startswith("<channel ")
    return not is_sent and (thing.get("isMeta") is True or origin != "human")
