"""Where agents write what they do: into the journal, or nowhere."""

from typing import Protocol

from calmkb.model import Json


class Sink(Protocol):
    """All that an agent may say of its run; each call is one entry."""

    async def run_started(self, task: str, *, max_steps: int | None, agent_type: str) -> None:
        """Say that the run has begun."""

    async def thinking(self, elapsed_ms: int) -> None:
        """Say that the model is at work still."""

    async def text(self, text: str, *, step: int) -> None:
        """Say what the agent says."""

    async def tool_starting(self, name: str, call_id: str, args: Json, *, step: int) -> None:
        """Say that a tool is called."""

    async def tool_complete(
        self, name: str, call_id: str, result: object, *, success: bool, summary: str, step: int
    ) -> None:
        """Say what a tool answered."""

    async def step_complete(self, step: int) -> None:
        """Say that a step is done."""

    async def run_complete(self, message: str, *, success: bool, steps: int) -> None:
        """Say how the run ended."""

    async def run_error(self, error: str, *, step: int) -> None:
        """Say what went wrong."""
