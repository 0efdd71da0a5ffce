"""Which hooks calmkb has in Claude Code, and how they differ from other people's."""

import re
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

MARK = "# calmkb"
_INSIDE = r"(?:[^']|'\"'\"')"  # a quoted word, with quotes in it as `shlex.quote` writes them
_PROGRAM = rf"(?:'{_INSIDE}*?[/\\])?(?:\"[^\"]*?[/\\])?(?:[^\s'\"]*[/\\])?calmkb(?:\.exe)?['\"]?"
_PYTHON = rf"(?:'{_INSIDE}+'|\"[^\"]+\"|\S+)(?: -P)? -m calmkb"
OUR_PROGRAM = rf"(?:{_PROGRAM}|{_PYTHON})"
_GONE = r"(?:\{ echo '[^']*'; exit 0; \}|exit 0)"
_FOUND = rf"command -v (?:'{_INSIDE}+'|\S+) >/dev/null 2>&1 \|\| {_GONE}; "
_GUARD = rf"{_FOUND}CALMKB_CLIENT_PID=\$PPID "
_CALL = rf"\s*(?:{_GUARD})?(?P<program>{OUR_PROGRAM})\s+hook\s+\w+[^;&|]*"
# Commands of the shell alone begin with a word that does nothing but say whose they are.
_OURS = re.compile(rf"{_CALL}|\s*: calmkb hook \w+;.*|.*{MARK}\s*", re.DOTALL)
# A session that continues after a compaction is shown other things than a new one.
_BEGINNINGS = "startup|resume|clear|fork"


@dataclass(frozen=True, slots=True)
class Hook:
    """A handler of ours: for which event, when, and what the client runs."""

    event: str
    matcher: str
    handler: dict[str, Any]

    @property
    def group(self) -> dict[str, Any]:
        """The handler as the settings nest it."""
        head = {"matcher": self.matcher} if self.matcher else {}
        return {**head, "hooks": [self.handler]}

    @property
    def label(self) -> str:
        """The event, and which of its occasions."""
        return f"{self.event} ({self.matcher})" if self.matcher else self.event


# event, matcher, seconds, whether the client goes on meanwhile
_EVENTS: Sequence[tuple[str, str, int, bool]] = (
    ("PostToolUseFailure", "", 5, True), ("PreCompact", "", 30, False), ("Stop", "", 5, False),
    ("SessionEnd", "", 30, False), ("SessionStart", "compact", 10, False),
    ("SessionStart", _BEGINNINGS, 10, False),
)  # fmt: skip
_TASK = re.compile(r"\bcalmkb(?:\.exe)?['\"]? hook (?P<task>\w+)")


def our_hooks(command: Callable[[str], str]) -> tuple[Hook, ...]:
    """Return calmkb's hooks, each running what `command` says for its event."""
    return tuple(
        Hook(event, matcher, _handler(command(event), seconds, asynchronous=later))
        for event, matcher, seconds, later in _EVENTS
    )


def blocking_hook(event: str, command: str, *, matcher: str = "", seconds: int = 10) -> Hook:
    """Return a hook whose answer the client waits for; installed only where a person wants it."""
    return Hook(event, matcher, _handler(command, seconds, asynchronous=False))


def _handler(command: str, seconds: int, *, asynchronous: bool) -> dict[str, Any]:
    marked = command if is_ours({"command": command}) else f"{command} {MARK}"
    handler = {"type": "command", "command": marked, "timeout": seconds}
    return handler | {"async": True} if asynchronous else handler


def is_ours(handler: object) -> bool:
    """Return whether a handler of the settings is one of calmkb's."""
    command = handler.get("command") if isinstance(handler, dict) else None
    return isinstance(command, str) and _OURS.fullmatch(command) is not None


def task_of(command: str, event: str) -> str:
    """Return what a command of ours is for: its event, or another word where an event has two."""
    found = _TASK.search(command)
    return found["task"] if found else event


def program_of(command: str) -> str | None:
    """Return the program that a command of ours calls; nothing where it only queues."""
    found = _OURS.fullmatch(command)
    return shlex.split(found["program"])[0] if found and found["program"] else None


def covers(matcher: object, hook: Hook) -> bool:
    """Return whether a group with `matcher` serves for `hook`; people may narrow open ones."""
    return matcher in (None, "", "*", hook.matcher) or not hook.matcher


def as_plugin(hooks: Sequence[Hook]) -> dict[str, Any]:
    """Return the content of a plugin's hooks.json."""
    events: dict[str, list[Any]] = {}
    for hook in hooks:
        events.setdefault(hook.event, []).append(hook.group)
    return {"hooks": events}
