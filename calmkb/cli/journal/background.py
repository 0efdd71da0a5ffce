"""`calmkb agents hooks write` and `calmkb session write`: entries written while nobody waits."""

from typing import Any

import click

from calmkb.cli.base.common import kb_from
from calmkb.cli.base.days import Amount
from calmkb.cli.base.person import require_person
from calmkb.cli.base.text import visible
from calmkb.errors import CalmError

_BUDGET = 1.0


@click.command("write")
@click.argument("program", required=False, metavar="[claude|codex|gemini|COMMAND]")
@click.option("--model", default="", help="The model to ask; else a small one.")
@click.option("--budget", type=Amount(min=0), default=_BUDGET, show_default=True,
              metavar="DOLLARS", help="The most that may be spent a day.")  # fmt: skip
@click.option("--seconds", type=Amount(1, 3600), default=180, show_default=True,
              help="How long it may take for a session.")  # fmt: skip
@click.option("--commit", is_flag=True, help="Commit the entries; else each waits for your yes.")
@click.option("--off", is_flag=True, help="Have no program write any more.")
@click.pass_context
def choose(
    context: click.Context, /, program: str | None, commit: bool, off: bool, **limits: Any
) -> None:
    """Have a program write the sessions that end from now on.

    It gets each session, condensed and filtered, and is started when your next session begins.
    What it writes waits: `calmkb wrapup` shows it. Only you can switch this on, no repository.
    """
    from calmkb.kb.journal.background import (
        WritingChoice,
        switch_writing_off,
        switch_writing_on,
        writing_words,
    )
    from calmkb.kb.journal.writing import cost_notice, writer_named

    kb = kb_from(context)
    if off:
        switch_writing_off(kb.environment)
    elif program:
        require_person(context, "switching this on", "ask the person to do it")
        click.echo(cost_notice(kb, writer_named(program, budget=limits["budget"])), err=True)
        choice = WritingChoice(program, commits=commit, since=0.0, **limits)
        switch_writing_on(kb.environment, choice)
    elif limits["model"] or commit:
        raise CalmError("name the program too: calmkb agents hooks write claude")
    click.echo(writing_words(kb.environment))


@click.command()
def write() -> None:
    """Write ended sessions with the program of `calmkb agents hooks write`.

    A session's start does this in the background. Nothing is done twice, and nothing beyond the
    day's budget.
    """
    from calmkb.kb.base.environment import process_environment
    from calmkb.kb.journal.background import write_ended

    for done in write_ended(process_environment()):  # whatever the knowledge base here is
        state = done.fault or ("committed" if done.committed else "waits: calmkb wrapup")
        click.echo(visible(f"{done.session_id[:8]}: {state}"))
