"""An agent that repeats its task, for trying out a server or a client."""

from calmkb.model.words import counted
from calmkb.wings.runs.agents.base import Outcome
from calmkb.wings.runs.model import RunContext
from calmkb.wings.runs.sinks import Sink


class EchoAgent:
    """Repeats the task, and reports how many earlier tasks it was given."""

    async def run(self, task: str, context: RunContext, sink: Sink) -> Outcome:
        """Write the task as text, a line a step."""
        lines = task.splitlines() or [task]
        for step, line in enumerate(lines, 1):
            await sink.text(line, step=step)
            await sink.step_complete(step)
        earlier = sum(message.role == "user" for message in context.recent_messages)
        count = f"{counted(len(lines), 'line')} repeated"
        return Outcome(True, f"{count}; {earlier} earlier tasks remembered.", len(lines))
