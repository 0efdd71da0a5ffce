"""calmkb's own agent: it reflects, lists its proposals, and approves nothing."""

import asyncio

from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.reflect.reflection import Pending, pending
from calmkb.model import Proposal
from calmkb.model.words import counted
from calmkb.wings.runs.agents.base import Outcome
from calmkb.wings.runs.model import RunContext
from calmkb.wings.runs.sinks import Sink

_SHOWN = 20


class ReflectionAgent:
    """Proposes learnings from unreflected sessions; a person decides on them elsewhere."""

    def __init__(self, kb: KnowledgeBase) -> None:
        self._kb = kb

    async def run(self, task: str, context: RunContext, sink: Sink) -> Outcome:
        """Reflect and list the proposals; the text of the task is ignored."""
        await sink.tool_starting("reflect", "reflect-1", {}, step=1)
        waiting = await asyncio.to_thread(pending, self._kb)
        count = len(waiting.proposals.open)
        summary = f"{counted(count, 'proposal')} from {counted(len(waiting.entries), 'session')}"
        result = {"sessions": len(waiting.entries), "proposals": count}
        await sink.tool_complete(
            "reflect", "reflect-1", result, success=True, summary=summary, step=1
        )
        await sink.step_complete(1)
        await sink.text(_listed(waiting), step=2)
        await sink.step_complete(2)
        return Outcome(True, f"{summary}; decide on them with: calmkb reflect", 2)


def _listed(waiting: Pending) -> str:
    lines = [_line(one) for one in waiting.proposals.open[:_SHOWN]]
    more = len(waiting.proposals.open) - len(lines)
    if not lines:
        return "No proposal waits for a decision."
    return "\n".join([*lines, *([f"- and {more} more"] if more > 0 else [])])


def _line(one: Proposal) -> str:
    sessions = len({item.source for item in one.evidence})
    return f"- [{one.category}, {one.confidence}, {counted(sessions, 'session')}] {one.text}"
