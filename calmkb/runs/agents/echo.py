"""An agent that says back what it is told: for trying a server or a client out."""

from calmkb.model import RunContext
from calmkb.runs.agents.base import Outcome
from calmkb.runs.sinks import Sink


class EchoAgent:
    """Says the task, and how much it remembers."""

    async def run(self, task: str, context: RunContext, sink: Sink) -> Outcome:
        """Say back the task, a line a step."""
        lines = task.splitlines() or [task]
        for step, line in enumerate(lines, 1):
            await sink.text(line, step=step)
            await sink.step_complete(step)
        earlier = sum(message.role == "user" for message in context.recent_messages)
        told = f"{len(lines)} line{'' if len(lines) == 1 else 's'} said back"
        return Outcome(True, f"{told}; {earlier} earlier tasks remembered.", len(lines))
