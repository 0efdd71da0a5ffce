"""`calmkb agents recall`: memories told to an agent at the prompt that they are about."""

from typing import TYPE_CHECKING

import click

from calmkb.cli.base.common import kb_from, warn
from calmkb.cli.base.layout import hanging
from calmkb.cli.base.person import require_person
from calmkb.cli.base.text import counted, from_home, visible
from calmkb.errors import CalmError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from calmkb.kb.base.knowledge_base import KnowledgeBase
    from calmkb.kb.memories.recalled import Recalled


@click.command()
@click.argument("prompt", required=False, default="")
@click.option("--on", "switch", flag_value="on", help="Recall in this project from now on.")
@click.option("--off", "switch", flag_value="off", help="Stop recalling here.")
@click.pass_context
def recall(context: click.Context, prompt: str, switch: str | None) -> None:
    """Give agents the memories that a prompt or a call is about, by hooks in Claude Code.

    A prompt brings two at most. A call of a tool brings one: that names its file, its command or a
    name in the code.

    With a PROMPT it shows which memories an agent would get. Without, it lists how often each
    memory was recalled, and in how many of these sessions its trouble was met all the same. What an
    agent reads in CLAUDE.md is not recalled at a prompt.
    """
    from calmkb.wings.proof.verbs.recall.bases import is_on
    from calmkb.wings.proof.verbs.recall.recall import recall_preview, recalled
    from calmkb.wings.proof.verbs.recall.switch import has_recall_hook

    if prompt and switch:
        raise CalmError("give a PROMPT to try, or one of --on and --off")
    kb = kb_from(context)
    if switch:
        _switch(context, kb, on=switch == "on")
    elif prompt:
        found = recall_preview(kb, prompt)
        click.echo(hanging("\n".join(f"- {one}" for one in found)) if found else "Nothing fits.")
    elif is_on(kb):
        click.echo(_table(recalled(kb)))
        if not has_recall_hook(kb.environment):
            warn("its hook is missing, so nothing is recalled: calmkb agents recall --on")
    else:
        click.echo(state(kb))


def state(kb: "KnowledgeBase") -> str:
    """Return whether memories are recalled here."""
    from calmkb.wings.proof.verbs.recall.bases import is_on

    if is_on(kb):
        return "on: an agent gets the memories that its prompt or its call is about"
    return "off: agents are given no memories at prompts and calls here; calmkb agents recall --on"


def _switch(context: click.Context, kb: "KnowledgeBase", *, on: bool) -> None:
    from calmkb.wings.proof.verbs.recall.switch import switch_recall

    require_person(
        context, "what agents are given at prompts and calls", "try one: calmkb agents recall TEXT"
    )
    done = switch_recall(kb, on=on)
    given = "the memories that fit a prompt or a call" if on else "none"
    place = from_home(done.path)
    hook = f"the hooks are in {place}" if on else f"{place} is as it was but for the hooks"
    click.echo(f"Agents here get {given}{f'; {hook}' if done.changed else ''}.")
    for text in done.warnings:
        warn(text)


def _table(found: "Sequence[Recalled]") -> str:
    lines = [
        f"on: {counted(len(found), 'memory', 'memories')} can be recalled, two a prompt at most"
    ]
    shown = [one for one in found if one.sessions]
    if shown:
        lines += ["", f"{'':8}  {'recalled in':>11}  {'met again':>9}"]
    for one in shown:
        text = visible(one.memory.text.split("\n", 1)[0])
        lines.append(f"{one.memory.id[:8]}  {one.sessions:>11}  {one.met:>9}  {text}")
    return "\n".join(lines)
