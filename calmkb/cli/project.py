"""`calmkb project`: which projects there are, and which of them are one."""

import click

from calmkb.cli.base.common import kb_from
from calmkb.cli.base.json_io import json_text
from calmkb.cli.base.lazy import LazyGroup
from calmkb.cli.base.text import counted, visible

_COMMANDS = {
    "forget": ("calmkb.wings.archive.commands.forget:forget_project", "Take its sessions out.")
}


@click.group(cls=LazyGroup, table=_COMMANDS)
def project() -> None:
    """List projects, rename them, merge those that are one, and move or forget their sessions."""


@project.command(name="list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def list_(context: click.Context, as_json: bool) -> None:
    """List the projects, and what looks like one repository under two names."""
    from calmkb.kb.journal.project_names import list_projects, suggestions

    kb = kb_from(context)
    found = list_projects(kb)
    hints = suggestions(kb, found)
    if as_json:
        document = {"projects": found, "suggestions": hints}
        click.echo(json_text(document))
        return
    if not found:
        click.echo("No projects found.")
    width = max((len(one.name) for one in found), default=0)
    for one in found:
        counts = (
            f"{counted(one.sessions, 'session')}, {counted(one.memories, 'memory', 'memories')}"
        )
        places = ", ".join(one.repositories) or "no repository known"
        click.echo(visible(f"{one.name:<{width}}  {counts}  {places}"))
    for hint in hints:
        click.echo(visible(f"\n{hint.reason}:\n  {hint.command}"))


@project.command()
@click.argument("old")
@click.argument("new")
@click.pass_context
def rename(context: click.Context, old: str, new: str) -> None:
    """Call the project OLD, or that of a repository, NEW from now on.

    No session is rewritten: a record says how they are read.
    """
    from calmkb.kb.journal.project_names import rename_project

    done = rename_project(kb_from(context), old, new)
    click.echo(f"{done.aliases[0]} is called {done.name} now")


@project.command()
@click.argument("names", nargs=-1, required=True)
@click.argument("into")
@click.pass_context
def merge(context: click.Context, names: tuple[str, ...], into: str) -> None:
    """Say that the projects NAMES are the project INTO.

    No session is rewritten: a record says how they are read.
    """
    from calmkb.kb.journal.project_names import merge_projects

    done = merge_projects(kb_from(context), names, into)
    click.echo(f"{', '.join(done.aliases)} read as {done.name} now")


@project.command()
@click.pass_context
def move(context: click.Context) -> None:
    """Move this repository's sessions from your personal knowledge base into its journal.

    They went there because the journal was not known here yet. Sessions that a reflection there
    cites stay.
    """
    from calmkb.kb.project.moving import move_sessions

    kb = kb_from(context)
    done = move_sessions(kb)
    click.echo(visible(f"{counted(done.moved, 'session')} moved into {kb.root}"))
    if done.cited:
        click.echo(f"{counted(done.cited, 'session')} stayed: a reflection there cites them")
