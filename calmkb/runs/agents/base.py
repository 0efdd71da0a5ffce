"""The interface of an agent."""

from dataclasses import dataclass
from typing import Protocol

from calmkb.model import RunContext
from calmkb.runs.sinks import Sink


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
