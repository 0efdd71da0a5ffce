"""`calmkb next`: what sessions left to do, in one place."""

from datetime import UTC
from typing import TYPE_CHECKING

import click

from calmkb.cli.base.common import kb_from, listed_kb
from calmkb.cli.base.json_io import json_option, json_text
from calmkb.cli.base.layout import hanging
from calmkb.cli.base.lazy import LazyGroup
from calmkb.cli.base.text import counted, visible

if TYPE_CHECKING:
    from calmkb.cli.journal.show import Page
    from calmkb.kb.base.knowledge_base import KnowledgeBase
    from calmkb.model import NextStep

_CONTINUATION = "calmkb.cli.journal.continuation"
_COMMANDS = {
    "resume": (f"{_CONTINUATION}:resume", "Resume a session: print what it left to do."),
    "list": ("calmkb.cli.journal.next_steps:next_", ""),  # what `next` alone does
}


@click.group(name="next", cls=LazyGroup, table=_COMMANDS, invoke_without_command=True)
@click.option("--project", help="Only this project.")
@click.option("--all", "everything", is_flag=True, help="Those of the last half year too.")
@click.option("--done", is_flag=True, help="Those that are done, with who or what says so.")
@json_option
@click.pass_context
def next_(
    context: click.Context, project: str | None, everything: bool, done: bool, as_json: bool
) -> None:
    """List what sessions of the last seven days left to do, and what waits to be resumed.

    A step is open until it is marked as done, or a later session of its project says that it did
    it.
    """
    if context.invoked_subcommand is not None:
        return
    from calmkb.cli.journal.continuation import row
    from calmkb.kb.journal.continuation import pending_sessions
    from calmkb.kb.journal.next_steps import list_steps

    kb = listed_kb(context)
    found = list_steps(kb, project=project, done=done)
    waiting = [] if done else pending_sessions(kb, project=project)
    if as_json:
        click.echo(json_text({"steps": found, "entries": waiting}))
        return
    today = kb.environment.now().astimezone(UTC).date()
    shown = [one for one in found if done or everything or one.is_fresh(today)]
    for step in shown:
        age = (today - step.since.astimezone(UTC).date()).days
        place = f"{step.project or 'no project'}, {counted(age, 'day')} old"
        click.echo(hanging(f"{step.id}  {' '.join(step.text.split())}", column=10))
        click.echo(f"          {visible(place)}{_outcome(step)}")
    if not (found or waiting):
        click.echo("No next step is done yet." if done else "Nothing is left to do.")
    if older := len(found) - len(shown):
        click.echo(f"{counted(older, 'older step')}: calmkb next --all")
    if shown and not done:
        click.echo("\nMark one as done with: calmkb next done ID")
    if waiting:
        click.echo(
            "\n".join(["\nTo be continued, with: calmkb next resume ID", *map(row, waiting)])
        )


@next_.command()
@click.argument("id")
@click.pass_context
def done(context: click.Context, id: str) -> None:  # noqa: A002
    """Mark a next step as done: commits a record that says so."""
    from calmkb.kb.journal.next_steps import finish_step

    step = finish_step(kb_from(context), id)
    click.echo(f"Done: {visible(' '.join(step.text.split()))}")


def page(kb: "KnowledgeBase", name: str, detail: object) -> "Page | None":
    """Return a next step, open or done, as `show` shows it."""
    from calmkb.cli.base.json_io import fields_named
    from calmkb.kb.journal.next_steps import list_steps

    wanted = name.lower()
    found = [one for done in (False, True) for one in list_steps(kb, done=done)
             if one.id.startswith(wanted)]  # fmt: skip
    if len(found) != 1:
        return None
    row = fields_named(found[0], "id", "text", "project", "since", "entry", "done_at")
    text = f"{found[0].text}\n\nLeft by session {found[0].entry}{_outcome(found[0])}"
    return {"kind": "step", **row}, visible(text)


def _outcome(step: "NextStep") -> str:
    if step.done_at is None:
        return f", named {step.times} times" if step.times > 1 else ""
    by = f"session {step.done_in[:8]}" if step.done_in else step.done_by or "a person"
    return f", done on {step.done_at.astimezone(UTC):%Y-%m-%d}: {visible(by)}"
