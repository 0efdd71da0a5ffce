"""The interface of an agent."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from calmkb.wings.runs.model import RunContext
from calmkb.wings.runs.sinks import Sink


class StepLimitError(Exception):
    """The run exceeded its step limit."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a run: success, a last message, the number of steps."""

    success: bool
    message: str
    steps: int = 0


class Agent(Protocol):
    """Does one task and reports what it does to `sink`, which is all that is recorded of it.

    An error that ends the run is an exception; its message becomes the `run:error` entry.
    """

    async def run(self, task: str, context: RunContext, sink: Sink) -> Outcome:
        """Do `task`; `context` is about earlier runs."""


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
