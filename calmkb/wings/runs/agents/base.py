"""The interface of an agent."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from calmkb.errors import CalmError
from calmkb.wings.runs.model import RunContext
from calmkb.wings.runs.sinks import Sink


class StepLimitError(CalmError):
    """The run exceeded its step limit."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a run: success, a last message, steps, the exit code of its program."""

    success: bool
    message: str
    steps: int = 0
    exit_code: int = 0


class Agent(Protocol):
    """Does one task and reports what it does to `sink`, which is all that is recorded of it.

    An error that ends the run is an exception; its message becomes the `run:error` entry.
    """

    async def run(self, task: str, context: RunContext, sink: Sink) -> Outcome:
        """Do `task`; `context` is about earlier runs."""


class Stream:
    """A program's output as entries: texts, and tools of which each is a step, up to a limit.

    A format says what a `line` of standard output, without its end, and the `outcome` are.
    """

    _step = 1
    _last = ""

    def __init__(self, sink: Sink, max_steps: int | None) -> None:
        self._sink, self._max_steps = sink, max_steps
        self._names: dict[str, str] = {}

    async def line(self, text: str) -> None:
        """Handle one line; one that is no event is skipped."""
        raise NotImplementedError

    def outcome(self, code: int, stderr: str) -> Outcome:
        """Return the result of the run, given the exit code and the end of standard error."""
        raise NotImplementedError

    async def _say(self, text: str, parent: str = "") -> None:
        self._last = text
        await self._sink.text(text, step=self._step, parent=parent)

    async def _tool_starts(
        self, name: str, call: str, given: object, *, key: str, parent: str = ""
    ) -> None:
        self._names[call] = name
        args = given if isinstance(given, dict) else {key: given}
        await self._sink.tool_starting(name, call, args, step=self._step, parent=parent)

    async def _tool_ends(self, call: str, output: str, *, success: bool, parent: str = "") -> None:
        await self._sink.tool_complete(
            self._names.get(call, "tool"), call, output, success=success,
            summary=first_line(output), step=self._step, parent=parent,
        )  # fmt: skip

    async def _step_ends(self) -> None:
        await self._sink.step_complete(self._step)
        self._check_limit()
        self._step += 1

    def _client_ended(self, code: int, stderr: str, *, success: bool, error: str) -> Outcome:
        if success and code == 0:
            return Outcome(True, self._last or "done", self._step)
        reason = error or stderr or self._last or "no result"
        return Outcome(False, f"the client failed (exit code {code}): {reason}", self._step)

    def _check_limit(self) -> None:
        if self._max_steps is not None and self._step >= self._max_steps:
            raise StepLimitError(f"stopped after {self._step} steps, its limit")


def read_event(text: str) -> Mapping[str, Any]:
    """Return a line's JSON object; a line that is none is an empty one."""
    try:
        event = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return event if isinstance(event, dict) else {}


def first_line(text: str) -> str:
    """Return the first line; after an exit code, which tells nothing alone, the next one too."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return ": ".join(lines[: 2 if lines and lines[0].startswith("Exit code ") else 1]) or "done"
