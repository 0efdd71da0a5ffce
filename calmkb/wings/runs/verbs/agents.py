"""The available agents: the configured ones, those of other packages, and two of our own."""

import re
from collections.abc import Callable
from dataclasses import replace
from importlib.metadata import entry_points

from calmkb.config import AgentSettings
from calmkb.errors import ConfigError, RecordError
from calmkb.hook import CHILD
from calmkb.kb.base.approvals import require
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.trust.programs import agent_request
from calmkb.wings.runs.agents.base import Agent
from calmkb.wings.runs.agents.command import CommandAgent
from calmkb.wings.runs.agents.echo import EchoAgent
from calmkb.wings.runs.sinks import NO_BUDGET
from calmkb.wings.runs.usage import Budget
from calmkb.wings.runs.verbs.reflection import ReflectionAgent

GROUP = "calmkb.agents"
"""The entry point group for agents of other packages: each a callable without arguments."""
RUN_ID = "CALMKB_RUN_ID"
# It becomes an argument of a command: one that begins with a dash would be an option.
_MODEL = re.compile(r"[A-Za-z0-9][\w.:/@-]{0,99}")
_CODING = AgentSettings(
    command="claude -p --output-format stream-json --verbose", format="claude-stream-json"
)


def agent_types(kb: KnowledgeBase) -> tuple[str, ...]:
    """Return the names of the available agents, sorted."""
    named = {point.name for point in entry_points(group=GROUP)}
    return tuple(sorted({*_built_in(kb), *_configured(kb), *named}))


def find_agent(
    kb: KnowledgeBase,
    name: str,
    *,
    run_id: str,
    max_steps: int | None,
    model: str = "",
    budget: Budget = NO_BUDGET,
) -> Agent:
    """Return the agent called `name`; the configuration comes first, then packages, then ours.

    Raises ConfigError with the available names, or where a package's agent cannot be loaded;
    TrustError where the settings name a program that is not approved.
    """
    if settings := _configured(kb).get(name):
        if model and not _MODEL.fullmatch(model):
            raise RecordError(f"model {model!r} is invalid; use letters, digits and . _ : / @ -")
        _check_budget(name, settings, budget)
        require(kb, agent_request(kb, name))
        made_of = _command(kb, settings, run_id, max_steps)
        return replace(made_of, model=model, max_cost=budget.cost)
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
    return _configured(kb).get(name, _CODING).seconds


def _built_in(kb: KnowledgeBase) -> dict[str, Callable[[], Agent]]:
    return {"echo": EchoAgent, "reflection": lambda: ReflectionAgent(kb)}


def _configured(kb: KnowledgeBase) -> dict[str, AgentSettings]:
    return {"coding": _CODING} | dict(kb.config.agents)


def _command(
    kb: KnowledgeBase, settings: AgentSettings, run_id: str, max_steps: int | None
) -> CommandAgent:
    bounds = [number for number in (settings.max_steps, max_steps) if number]
    return CommandAgent(
        command=settings.command,
        format=settings.format,
        folder=kb.environment.cwd,
        seconds=settings.seconds,
        max_steps=min(bounds) if bounds else None,
        env={**kb.environment.env, CHILD: "1", RUN_ID: run_id},
    )
