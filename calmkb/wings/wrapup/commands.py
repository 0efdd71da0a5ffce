"""`calmkb agents wrapup`: the agent itself wraps its session up at the end of a turn."""

from typing import TYPE_CHECKING, Any

import click

from calmkb.cli.base.common import kb_from, warn
from calmkb.cli.base.layout import hanging
from calmkb.cli.base.person import require_person
from calmkb.cli.base.text import counted, from_home

if TYPE_CHECKING:
    from calmkb.kb.base.knowledge_base import KnowledgeBase

_COST = "Each time costs one more request with the session's context, most of it cached."


@click.command()
@click.option("--on", "switch", flag_value="on", help="Ask agents on this machine from now on.")
@click.option("--off", "switch", flag_value="off", help="Ask no more.")
@click.pass_context
def wrapup(context: click.Context, switch: str | None) -> None:
    """Have the agent write its own wrap-up, by a hook in Claude Code, Codex and Gemini CLI.

    When a turn ends and its work stands in no entry, the agent is asked to wrap up, and stops.
    """
    from calmkb.wings.wrapup.verbs import KEPT_DAYS, is_on, shares

    kb = kb_from(context, warns=False)
    if switch:
        require_person(context, "what agents are asked", "ask the person to do it")
        _switch(kb, on=switch == "on")
        return
    click.echo(state(kb))
    if found := shares(kb) if is_on(kb.environment) else None:
        click.echo(
            f"{counted(found.sessions, 'session')} with work here in {KEPT_DAYS} days: "
            f"{found.written} wrapped up, {found.asked} of them after being asked"
        )


def state(kb: "KnowledgeBase") -> str:
    """Return whether agents on this machine are asked."""
    from calmkb.wings.wrapup.verbs import asked_clients, is_on

    if not is_on(kb.environment):
        return "off: agents are not asked to wrap up; calmkb agents wrapup --on"
    having, lacking = asked_clients(kb.environment)
    parts = [f"on: asked for a wrap-up when a turn with work ends: {', '.join(having) or 'nobody'}"]
    if lacking:
        parts += [f"the hook is missing in {', '.join(lacking)}: calmkb agents wrapup --on"]
    return "; ".join(parts)


def ask(step: Any, _: object) -> None:
    """Offer it in `start`."""
    from calmkb.wings.wrapup.verbs import is_on

    if is_on(step.kb().environment):
        step.say("Agents are asked for their own wrap-ups already.")
    elif step.yes(f"Have agents write their own wrap-ups? {_COST}"):
        _switch(step.kb(), on=True)


def _switch(kb: "KnowledgeBase", *, on: bool) -> None:
    from calmkb.wings.wrapup.verbs import switch_asking

    for client, done in switch_asking(kb.environment, on=on):
        for text in done.warnings:
            warn(text)
        if done.warnings and not done.changed:
            continue
        place = from_home(done.path)
        words = f"{client.name} is no longer asked; the hook is out of {place}."
        if on:
            words = f"{client.name} is asked for wrap-ups; the hook is in {place}. {client.first}"
        click.echo(hanging(words.rstrip()))
    if on:
        click.echo(_COST)
