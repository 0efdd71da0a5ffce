"""`calmkb agents hooks`: capture in Claude Code, turned on and off."""

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from calmkb.cli.base.common import warn
from calmkb.cli.base.json_io import json_option, print_json
from calmkb.cli.base.layout import hanging
from calmkb.cli.base.text import from_home
from calmkb.cli.journal.background import choose
from calmkb.kb.base.environment import process_environment

if TYPE_CHECKING:
    from calmkb.kb.base.knowledge_base import KnowledgeBase
    from calmkb.kb.hooks.toggle import HookState, SettingsChange

_PROJECT = click.option("--project", is_flag=True, help="Use this project's settings, not yours.")


@click.group()
def hooks() -> None:
    """Turn the capture of signals in Claude Code on and off."""


@hooks.command()
@_PROJECT
@click.option("--status-line", is_flag=True, help="Show pending counts; your status line is kept.")
@click.option("--mcp", is_flag=True, help="Register the MCP server too.")
@click.option(
    "--export/--no-export", default=None, help="Refresh digests when a session starts, or not."
)
def on(project: bool, status_line: bool, mcp: bool, export: bool | None) -> None:
    """Add calmkb's hooks; every other setting stays, to the byte."""
    from calmkb.kb.hooks.toggle import install_server, switch_on

    environment = process_environment()
    done = switch_on(environment, project=project, status_line=status_line, export=export)
    _report(done, "Added calmkb's hooks to", "already has calmkb's hooks")
    if mcp:
        server = install_server(environment, project=project)
        state = "Registered" if server.changed else "Already registered"
        click.echo(f"{state} the MCP server in {from_home(server.path)}")


@hooks.command()
@_PROJECT
def off(project: bool) -> None:
    """Remove calmkb's hooks and restore your status line."""
    from calmkb.kb.hooks.toggle import switch_off

    done = switch_off(process_environment(), project=project)
    _report(done, "Removed calmkb's hooks from", "has no calmkb hooks")


@hooks.command()
@_PROJECT
@json_option
def status(project: bool, as_json: bool) -> None:
    """Show which of calmkb's hooks are installed."""
    from calmkb.kb.hooks.toggle import hook_state
    from calmkb.kb.journal.background import writing_words

    environment = process_environment()
    found = hook_state(environment, project=project)
    if as_json:
        print_json({**asdict(found), "path": str(found.path)})
        return
    click.echo(_words(found))
    if found.present and found.absent:
        click.echo(f"missing: {', '.join(found.absent)}; complete them: calmkb agents hooks on")
    if found.export and (found.present or found.plugin):
        click.echo("digests are refreshed when a session starts (--export)")
    if found.status_line:
        click.echo("the status line is calmkb's")
    click.echo(writing_words(environment))
    for text in found.warnings:
        warn(text)


hooks.add_command(choose)


def state(kb: "KnowledgeBase") -> str:
    """Return whether sessions are captured here."""
    from calmkb.kb.hooks.toggle import hook_state

    return _words(hook_state(kb.environment))


def _words(found: "HookState") -> str:
    place = from_home(found.path)
    if found.present:
        return f"on: {', '.join(found.present)} in {place}"
    if found.plugin:
        return f"on: the calmkb plugin is enabled and captures; {place} has no calmkb hooks"
    return f"off: {place} has no calmkb hooks; add them: calmkb agents hooks on"


def _report(done: "SettingsChange", did: str, nothing: str) -> None:
    if done.changed:
        message = f"{did} {from_home(done.path)}; it takes effect in the next session"
        click.echo(hanging(message))
    else:
        click.echo(f"{from_home(done.path)} {nothing}")
    if done.backup:
        click.echo(f"The old file is kept as {from_home(done.backup)}")
    for text in done.warnings:
        warn(text)
