"""Claude Code's transcripts: one JSON object a line, new kinds with every release."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from calmkb.capture.formats.base import History, JsonObject, TranscriptFormat
from calmkb.capture.formats.claude import claude_homes
from calmkb.capture.formats.claude.turns import TurnCollector
from calmkb.capture.formats.fields import name_of, text_of
from calmkb.capture.formats.json_lines import LeftOut, read_objects
from calmkb.capture.formats.turns import Transcript

_LIMIT = 100


class Queue:
    """Follows the queue and yields the words that no user line repeats."""

    def __init__(self) -> None:
        self._waiting: list[str] = []

    def take(self, thing: JsonObject) -> list[str]:
        """Return the words that this line hands to the agent; none for most lines."""
        if thing.get("type") == "queue-operation":
            return self._operation(thing)
        return list(_attached(thing.get("attachment")))

    def _operation(self, thing: JsonObject) -> list[str]:
        operation, content = thing.get("operation"), thing.get("content")
        if operation == "enqueue":
            self._waiting = [*self._waiting, content if isinstance(content, str) else ""][-_LIMIT:]
            return []
        if operation == "popAll":  # back into the person's input line
            self._waiting = []
            return []
        taken = [content] if isinstance(content, str) and content else self._waiting[:1]
        for words in taken:
            if words in self._waiting:
                self._waiting.remove(words)
        # What is taken out by "dequeue" follows as a user line of its own.
        return taken if operation == "remove" else []

    def left(self) -> list[str]:
        """Return the words that never reached the agent, in their order."""
        return [words for words in self._waiting if words]


class Branches:
    """Follows which line answers which, to know what a person rewound.

    A prompt begins another branch where a later line that leads to the end answers the same one;
    results of calls beside each other fork too, and stay.
    """

    def __init__(self) -> None:
        self._lines: dict[str, tuple[str, int, bool]] = {}
        self._last = ""

    def take(self, thing: JsonObject, message: Mapping[str, Any] | None, line: int) -> None:
        """Note a line, what it answers and whether it is a person's prompt."""
        name = text_of(thing.get("uuid"))
        if not name or thing.get("isSidechain") is True:
            return
        is_prompt = message is not None and message.get("role") == "user"
        is_prompt = is_prompt and thing.get("isMeta") is not True and not _has_result(message)
        self._lines.setdefault(name, (text_of(thing.get("parentUuid")), line, is_prompt))
        if message is not None:
            self._last = name

    def rewound(self) -> set[int]:
        """Return the numbers of the lines that lead to no end that counts."""
        live: dict[str, int] = {}  # by what is answered
        name, ends = self._last, set[str]()
        while name in self._lines and name not in ends:
            ends.add(name)
            parent, line, _ = self._lines[name]
            live[parent] = line
            name = parent
        gone: dict[str, int] = {}
        for name, (parent, line, is_prompt) in self._lines.items():
            left = is_prompt and parent in ends and line < live.get(parent, 0)
            if name not in ends and (parent in gone or left):
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
        for last, thing in read_objects(path, left):
            message = _message(thing)
            branches.take(thing, message, last)
            if message is not None:
                collector.message(thing, message, last)
            else:
                for words in queue.take(thing):
                    collector.queued(thing, words, last)
        for words in queue.left():
            collector.queued({}, words, last)
        rewound = branches.rewound()
        return Transcript(
            turns=tuple(turn for turn in collector.turns if turn.line not in rewound),
            session_id=collector.session_id,
            working_directory=collector.working_directory,
            folders=tuple(collector.folders),
            automated=collector.automated,
            branch=collector.branch,
            agent=self.name,
            **left.fields(collector.times),
        )


FORMAT = ClaudeCode()


def _has_result(message: Mapping[str, Any] | None) -> bool:
    content = message.get("content") if message else None
    blocks = content if isinstance(content, list) else []
    return any(isinstance(one, dict) and one.get("type") == "tool_result" for one in blocks)


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


def _attached(attachment: object) -> Iterator[str]:
    if not isinstance(attachment, dict) or attachment.get("type") != "queued_command":
        return
    prompt = attachment.get("prompt")
    for block in prompt if isinstance(prompt, list) else [prompt]:
        text = block.get("text") if isinstance(block, dict) else block
        if isinstance(text, str):
            yield text
