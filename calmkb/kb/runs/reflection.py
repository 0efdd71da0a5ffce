"""calmkb's own agent: it reflects, tells what it proposes, and approves nothing."""

import asyncio

from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.reflect.reflection import Pending, pending
from calmkb.model import Proposal, RunContext
from calmkb.runs.agents.base import Outcome
from calmkb.runs.sinks import Sink

_SHOWN = 20


class ReflectionAgent:
    """Proposes learnings from the sessions that wait; a person decides on them elsewhere."""

    def __init__(self, kb: KnowledgeBase) -> None:
        self._kb = kb

    async def run(self, task: str, context: RunContext, sink: Sink) -> Outcome:
        """Read, compare and propose, a step each; the task's words change nothing."""
        await sink.tool_starting("reflect", "reflect-1", {}, step=1)
        waiting = await asyncio.to_thread(pending, self._kb)
        count = len(waiting.proposals.open)
        told = f"{_counted(count, 'proposal')} from {_counted(len(waiting.entries), 'session')}"
        result = {"sessions": len(waiting.entries), "proposals": count}
        await sink.tool_complete("reflect", "reflect-1", result, success=True, summary=told, step=1)
        await sink.step_complete(1)
        await sink.text(_listed(waiting), step=2)
        await sink.step_complete(2)
        return Outcome(True, f"{told}; decide on them with: calmkb reflect", 2)


def _listed(waiting: Pending) -> str:
    lines = [_line(one) for one in waiting.proposals.open[:_SHOWN]]
    more = len(waiting.proposals.open) - len(lines)
    if not lines:
        return "Nothing waits for a decision."
    return "\n".join([*lines, *([f"- and {more} more"] if more > 0 else [])])


def _line(one: Proposal) -> str:
    sessions = len({item.source for item in one.evidence})
    return f"- [{one.category}, {one.confidence}, {_counted(sessions, 'session')}] {one.text}"


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"
