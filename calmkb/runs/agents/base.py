"""What an agent is."""

from dataclasses import dataclass
from typing import Protocol

from calmkb.model import RunContext
from calmkb.runs.sinks import Sink


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a run ended: whether it did what was asked, its last words, how many steps it took."""

    success: bool
    message: str
    steps: int = 0


class Agent(Protocol):
    """Does one task and says what it does to `sink`, which is all that anybody sees of it.

    A fault that ends the run is an exception; its words become the `run:error` entry.
    """

    async def run(self, task: str, context: RunContext, sink: Sink) -> Outcome:
        """Do `task`, told of earlier runs by `context`."""
