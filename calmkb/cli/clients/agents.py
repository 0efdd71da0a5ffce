"""`calmkb agents`: what agents on this machine are connected to, in one status."""

from pkgutil import resolve_name

import click

from calmkb.cli.base.common import kb_from
from calmkb.cli.base.json_io import json_option, print_json
from calmkb.cli.base.layout import hanging
from calmkb.cli.base.lazy import LazyGroup
from calmkb.errors import CalmError

COMMANDS = {
    "hooks": ("calmkb.cli.clients.hooks:hooks", "Turn capture in Claude Code on and off."),
    "mcp": ("calmkb.wings.mcp.commands:mcp", "Run the MCP server, or register it with a client."),
    "plugin": ("calmkb.cli.clients.plugin:plugin", "Find the Claude Code plugin."),
    "recall": ("calmkb.wings.proof.commands.recall:recall",
               "Give agents the memories that a prompt or a call is about."),
    "wrapup": ("calmkb.wings.wrapup.commands:wrapup",
               "Have the agent write its own wrap-up."),
    "enforce": ("calmkb.wings.proof.commands.memory_enforce:enforce",
                "Hold agents to a memory: warn or block."),
    "keep": ("calmkb.wings.archive.commands.keep:keep",
             "Copy sessions before clients delete them."),
    "trust": ("calmkb.cli.trust:trust", "Review what a repository asks to run or to say."),
    "doctor": ("calmkb.cli.checks.doctor:doctor", "Diagnose this machine and suggest fixes."),
}  # fmt: skip


@click.group(cls=LazyGroup, table=COMMANDS, invoke_without_command=True)
@json_option
@click.pass_context
def agents(context: click.Context, as_json: bool) -> None:
    """Show what agents on this machine are connected to; each part has commands of its own."""
    if context.invoked_subcommand is not None:
        return
    found = {name: _state(context, place) for name, (place, _) in COMMANDS.items()}
    if as_json:
        print_json({"agents": found}, indent=2)
        return
    click.echo("\n".join(hanging(f"{name:7}  {text}", column=9) for name, text in found.items()))


def _state(context: click.Context, place: str) -> str:
    """Return what the module of a command says of it: each has a function `state`."""
    try:
        words: str = resolve_name(f"{place.partition(':')[0]}:state")(kb_from(context, warns=False))
    except CalmError as error:
        return str(error)
    return words
