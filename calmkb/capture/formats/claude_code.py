"""Claude Code's transcripts: one JSON object a line, new kinds with every release."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from calmkb.capture.formats.base import History, JsonObject, TranscriptFormat
from calmkb.capture.formats.claude import claude_homes
from calmkb.capture.formats.claude.turns import TurnCollector
from calmkb.capture.formats.fields import blocks_of, name_of, object_of, text_of, words_of
from calmkb.capture.formats.json_lines import LeftOut, read_objects
from calmkb.capture.formats.turns import Transcript

_LIMIT = 100
_TYPED = (None, "prompt")


class Queue:
    """Follows the queue and yields the words that no user line repeats."""

    def __init__(self) -> None:
        self._waiting: list[str] = []
        self.sent: list[str] = []
        """Words taken out for a user line of their own, until there is one."""

    def take(self, thing: JsonObject) -> list[str]:
        """Return the words that this line hands to the agent; none for most lines."""
        if thing.get("type") == "queue-operation":
            return self._operation(thing)
        queued = object_of(thing.get("attachment"))
        is_typed = queued.get("type") == "queued_command" and queued.get("commandMode") in _TYPED
        return [words_of(queued.get("prompt"))] if is_typed else []

    def _operation(self, thing: JsonObject) -> list[str]:
        operation, content = thing.get("operation"), words_of(thing.get("content"))
        if operation == "enqueue":
            self._waiting = [*self._waiting, content][-_LIMIT:]
            return []
        if operation == "popAll":  # back into the person's input line
            self._waiting = []
            return []
        taken = [content] if content else self._waiting[:1]
        for words in taken:
            if words in self._waiting:
                self._waiting.remove(words)
        self.sent += taken if operation != "remove" else []
        return taken if operation == "remove" else []

    def left(self) -> list[str]:
        """Return the words that never reached the agent, in their order."""
        return [words for words in (*self.sent, *self._waiting) if words]


class Branches:
    """Follows which line answers which, to know what a person rewound.

    A prompt was rewound where the lines that lead to the end leave those that lead to it, and go on
    later in the file. Results of calls beside each other fork too, and stay.
    """

    def __init__(self) -> None:
        self._lines: dict[str, tuple[str, int, bool]] = {}
        self._last = self._time = ""

    def take(self, thing: JsonObject, message: Mapping[str, Any] | None, line: int) -> None:
        """Note a line, what it answers and whether it is a person's prompt."""
        name = text_of(thing.get("uuid"))
        if not name or thing.get("isSidechain") is True:
            return
        is_prompt = message is not None and _is_prompt(thing, message)
        # What a compaction cuts off is named beside the parent that it has not.
        parent = text_of(thing.get("parentUuid")) or text_of(thing.get("logicalParentUuid"))
        time, before = text_of(thing.get("timestamp")), self._time
        self._time = max(time, before)
        if not parent and (not is_prompt or time < before):
            parent = f"before {name}"  # nothing begins there again: an old line, or a fresh start
        self._lines.setdefault(name, (parent, line, is_prompt))
        if message is not None:
            self._last = name

    def rewound(self) -> set[int]:
        """Return the numbers of the lines that lead to no end that counts."""
        live: dict[str | None, int] = {}  # the line that goes on, by what it answers
        ends, name = set[str](), self._last
        while name in self._lines and name not in ends:
            ends.add(name)
            parent, live[parent], _ = self._lines[name]
            name = parent
        if len(ends) == 1:  # lines that do not say what they answer
            return set()
        gone: dict[str, int] = {}
        forks: dict[str, str | None] = {}
        for name, (parent, line, is_prompt) in self._lines.items():
            if name not in ends:
                forks[name] = parent if parent in live else forks.get(parent)
                left = is_prompt and line < live.get(forks[name], 0)
                if parent in gone or left:
                    gone[name] = line
        return set(gone.values())


_SPOKEN = ("user", "assistant")
_KINDS = frozenset((  # what lines of versions up to 2.1 are, read or passed over
    *_SPOKEN, *"agent-color agent-name agent-setting ai-title api-request attachment "
    "attribution-snapshot content-replacement cost-state custom-title file-history-snapshot "
    "last-prompt message mode permission-mode pr-link progress queue-operation result "
    "speculation-accept summary system tag task-summary tools-used worktree-state".split(),
))  # fmt: skip
# Types and keys that no other agent is known to write.
_OWN = frozenset({"file-history-snapshot", "queue-operation", "leafUuid", "parentUuid"})


class ClaudeCode(TranscriptFormat):
    """Reads `~/.claude/projects/*/*.jsonl`, and the plain {role, content} lines of its exports."""

    name = "claude-code"
    order = 200  # last: exports of other programs may hold {role, content} lines too
    history = History(
        "claude",
        lambda home, env: tuple(place / "projects" for place in claude_homes(home, env)),
        "*.jsonl",
    )

    def recognises(self, objects: Sequence[JsonObject]) -> bool:
        """Tell by a message with a role, or by kinds of lines that only this client writes."""
        return any(_message(thing) is not None or _is_own(thing) for thing in objects)

    def folder_in(self, objects: Sequence[JsonObject]) -> str:
        """Take the first folder that a line of the conversation names."""
        spoken = (thing for thing in objects if _message(thing) is not None)
        return next((folder for thing in spoken if (folder := name_of(thing.get("cwd")))), "")

    def read(self, path: Path) -> Transcript:
        """Read the file line by line; only the texts that are kept stay in memory."""
        collector, queue, branches = TurnCollector(), Queue(), Branches()
        left = LeftOut(_KINDS)
        last = 0
        for last, thing in _plain_calls(read_objects(path, left)):
            message = _message(thing)
            branches.take(thing, message, last)
            if message is not None:
                collector.message(thing, message, last)
                queue.sent.clear()
            else:
                for words in queue.take(thing):
                    collector.queued(thing, words, last)
        for words in queue.left():
            collector.queued({}, words, last)
        rewound = branches.rewound()
        return Transcript(
            turns=tuple(turn for turn in collector.turns if turn.line not in rewound),
            session_id=collector.session_id, working_directory=collector.working_directory,
            folders=tuple(collector.folders), automated=collector.automated,
            branch=collector.branch, agent=self.name, **left.fields(collector.times),
        )  # fmt: skip


FORMAT = ClaudeCode()


def _plain_calls(lines: Iterator[tuple[int, JsonObject]]) -> Iterator[tuple[int, JsonObject]]:
    """Yield the lines; the `tool_use` of a plain one is a call, and its error the answer to it."""
    for number, thing in lines:
        call = object_of(thing.get("tool_use")) if thing.get("role") == "assistant" else {}
        if not call:
            yield number, thing
            continue
        use = {**call, "type": "tool_use", "id": f"line {number}"}
        yield number, {**thing, "content": [*blocks_of(thing.get("content")), use]}
        if error := call.get("error"):
            answer = {"type": "tool_result", "tool_use_id": use["id"], "is_error": True}
            yield number, {"role": "user", "content": [answer | {"content": str(error)}]}


def _is_prompt(thing: JsonObject, message: Mapping[str, Any]) -> bool:
    """Whether a line is a person's, and no plan that was taken into a context of its own."""
    kinds = [one.get("type") for one in blocks_of(message.get("content"))]
    by_client = True in (thing.get("isMeta"), thing.get("isCompactSummary"))
    is_users = message.get("role") == "user" and not by_client
    is_plan = words_of(message.get("content")).startswith("Implement the following plan")
    return is_users and not is_plan and "tool_result" not in kinds


def _is_own(thing: JsonObject) -> bool:
    kind = thing.get("type")
    return not _OWN.isdisjoint(thing) or (isinstance(kind, str) and kind in _OWN)


def _message(thing: JsonObject) -> Mapping[str, Any] | None:
    kind = thing.get("type")
    message = thing.get("message")
    if kind in _SPOKEN and isinstance(message, dict):
        return {"role": kind, **message}
    if kind in (None, "message") and thing.get("role") in _SPOKEN and "content" in thing:
        return thing
    return None
