"""The available agents: the configured ones, those of other packages, and our own."""

import asyncio
import re
from collections.abc import Callable
from importlib.metadata import entry_points

from calmkb.config import AgentSettings
from calmkb.errors import ConfigError, RecordError
from calmkb.hook import CHILD
from calmkb.kb.base.approvals import require
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.reflect.reflection import Pending, pending
from calmkb.kb.trust.programs import agent_request
from calmkb.model import Proposal
from calmkb.model.words import counted
from calmkb.wings.runs.agents.base import Agent, Outcome
from calmkb.wings.runs.agents.command import CommandAgent
from calmkb.wings.runs.model import Json, RunContext
from calmkb.wings.runs.sinks import Sink
from calmkb.wings.runs.usage import NO_BUDGET, Budget, budget_of

GROUP = "calmkb.agents"
"""The entry point group for agents of other packages: each a callable without arguments."""
RUN_ID = "CALMKB_RUN_ID"
# It becomes an argument of a command: one that begins with a dash would be an option.
_MODEL = re.compile(r"[A-Za-z0-9][\w.:/@-]{0,99}")
_CLAUDE = "claude -p --output-format stream-json --verbose"
_LOGS = (
    "You analyse logs. Find what failed first and what followed from it, quote the lines that show "
    "it, say the likely cause, and change no file."
)
_PARTS = (
    "You orchestrate. Split the task into parts, give each to a sub-agent, those that do not need "
    "each other at once, check what they return, and report the whole."
)
_OURS = {
    "coding": _CLAUDE,
    "log-analyzer": f"{_CLAUDE} --disallowedTools Edit,Write,NotebookEdit "
    f"--append-system-prompt '{_LOGS}'",
    "orchestration": f"{_CLAUDE} --append-system-prompt '{_PARTS}'",
}
_SHOWN = 20  # proposals that our own agent lists


def agent_types(kb: KnowledgeBase) -> tuple[str, ...]:
    """Return the names of the available agents, sorted."""
    named = {point.name for point in entry_points(group=GROUP)}
    return tuple(sorted({*_built_in(kb), *_configured(kb), *named}))


def find_agent(kb: KnowledgeBase, name: str, *, run_id: str, config: Json | None = None) -> Agent:
    """Return the agent called `name`; the configuration comes first, then packages, then ours.

    `config` is what its run asks for. Raises ConfigError with the available names, or where a
    package's agent cannot be loaded; TrustError where the settings name a program that is not
    approved; RecordError where a configured agent cannot do as it is asked.
    """
    if settings := _configured(kb).get(name):
        return _command(kb, name, settings, run_id, config or {})
    for point in entry_points(group=GROUP, name=name):
        try:
            made: Agent = point.load()()
        except Exception as error:
            raise ConfigError(
                f"agent {name!r} of {point.value} cannot be loaded: {error}"
            ) from error
        return made
    if make := _built_in(kb).get(name):
        return make()
    raise ConfigError(
        f"agent {name!r} is not configured; choose from: {', '.join(agent_types(kb))}, "
        f'or add [agents.{name}] with a command = "…" to the configuration'
    )


def _check_budget(name: str, settings: AgentSettings, budget: Budget) -> None:
    """Raise RecordError on a budget that nobody could keep: its figures are never reported."""
    if settings.format == "lines" and budget != NO_BUDGET:
        raise RecordError(f"agent {name!r} prints plain lines, so nothing tells what it uses")
    if settings.format != "claude-stream-json" and budget.cost is not None:
        raise RecordError(f"agent {name!r} reports tokens and no cost; give maxTokens instead")


def seconds_for(kb: KnowledgeBase, name: str) -> float:
    """Return the time limit of an agent's runs."""
    return _configured(kb).get(name, AgentSettings()).seconds


def _built_in(kb: KnowledgeBase) -> dict[str, Callable[[], Agent]]:
    return {"echo": EchoAgent, "reflection": lambda: ReflectionAgent(kb)}


def _configured(kb: KnowledgeBase) -> dict[str, AgentSettings]:
    ours = {name: AgentSettings(command, "claude-stream-json") for name, command in _OURS.items()}
    return ours | dict(kb.config.agents)


def _command(
    kb: KnowledgeBase, name: str, settings: AgentSettings, run_id: str, config: Json
) -> CommandAgent:
    model, budget = str(config.get("model") or ""), budget_of(config)
    if model and not _MODEL.fullmatch(model):
        raise RecordError(f"model {model!r} is invalid; use letters, digits and . _ : / @ -")
    _check_budget(name, settings, budget)
    require(kb, agent_request(kb, name))
    limits = (settings.max_steps, config.get("maxSteps"))
    return CommandAgent(
        command=settings.command,
        format=settings.format,
        folder=kb.environment.cwd,
        seconds=settings.seconds,
        max_steps=min((one for one in limits if isinstance(one, int) and one), default=None),
        env={**kb.environment.env, CHILD: "1", RUN_ID: run_id},
        model=model,
        max_cost=budget.cost,
    )


class EchoAgent:
    """Repeats the task and reports how many came before: for trying out a server or a client."""

    async def run(self, task: str, context: RunContext, sink: Sink) -> Outcome:
        """Write the task as text, a line a step."""
        lines = task.splitlines() or [task]
        for step, line in enumerate(lines, 1):
            await sink.text(line, step=step)
            await sink.step_complete(step)
        earlier = sum(message.role == "user" for message in context.recent_messages)
        count = f"{counted(len(lines), 'line')} repeated"
        return Outcome(True, f"{count}; {earlier} earlier tasks remembered.", len(lines))


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
