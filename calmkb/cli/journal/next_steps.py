"""`calmkb next list | done`: what sessions left to do, in one place."""

from datetime import UTC
from typing import TYPE_CHECKING

import click

from calmkb.cli.base.common import kb_from, listed_kb
from calmkb.cli.base.json_io import json_text
from calmkb.cli.base.text import counted, visible

if TYPE_CHECKING:
    from calmkb.model import NextStep


@click.group(name="next")
def next_() -> None:
    """List what sessions left to do, and mark what is done.

    A step is open until it is marked, or a later session of its project says that it did it.
    """


@next_.command(name="list")
@click.option("--project", help="Only this project.")
@click.option("--done", is_flag=True, help="Those that are done, with who or what says so.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def list_(context: click.Context, project: str | None, done: bool, as_json: bool) -> None:
    """List open next steps, the oldest first, with project and age."""
    from calmkb.kb.journal.next_steps import list_steps

    kb = listed_kb(context)
    found = list_steps(kb, project=project, done=done)
    if as_json:
        click.echo(json_text({"steps": found}))
        return
    now = kb.environment.now().astimezone(UTC)
    for step in found:
        age = (now.date() - step.since.astimezone(UTC).date()).days
        place = f"{step.project or 'no project'}, {counted(age, 'day')} old"
        click.echo(f"{step.id}  {visible(' '.join(step.text.split()))}")
        click.echo(f"          {visible(place)}{_outcome(step)}")
    if not found:
        click.echo("No next step is done yet." if done else "Nothing is left to do.")
    elif not done:
        click.echo("\nMark one as done with: calmkb next done ID")


@next_.command()
@click.argument("id")
@click.pass_context
def done(context: click.Context, id: str) -> None:  # noqa: A002
    """Mark a next step as done: commits a record that says so."""
    from calmkb.kb.journal.next_steps import finish_step

    step = finish_step(kb_from(context), id)
    click.echo(f"Done: {visible(' '.join(step.text.split()))}")


def _outcome(step: "NextStep") -> str:
    if step.done_at is None:
        return f", named {step.times} times" if step.times > 1 else ""
    by = f"session {step.done_in[:8]}" if step.done_in else step.done_by or "a person"
    return f", done on {step.done_at.astimezone(UTC):%Y-%m-%d}: {visible(by)}"
