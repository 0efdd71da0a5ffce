"""`calmkb agents mcp`: run the MCP server."""

from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from calmkb.cli.base.common import kb_from, warn
from calmkb.cli.base.lazy import TableChoice
from calmkb.cli.base.text import from_home
from calmkb.errors import CalmError
from calmkb.kb.base.points import server_started

if TYPE_CHECKING:
    from calmkb.kb.base.knowledge_base import KnowledgeBase


@click.group(invoke_without_command=True)
@click.option(
    "--tools", default="default", show_default=True, help="Tool sets, separated by commas; or all."
)
@click.option("--http", is_flag=True, help="Serve Streamable HTTP instead of standard input.")
@click.option("--host", default="127.0.0.1", show_default=True, help="With --http: the address.")
@click.option("--port", default=8765, show_default=True, help="With --http: the port.")
@click.option(
    "--token",
    envvar="CALMKB_MCP_TOKEN",
    help="With --http: what clients must send as `Authorization: Bearer`; needed off loopback.",
)
@click.option("--journal-path", help="One folder for both private journals.")
@click.pass_context
def mcp(
    context: click.Context, /, tools: str, journal_path: str | None, http: bool, host: str,
    port: int, token: str | None,
) -> None:  # fmt: skip
    """Run the MCP server, which gives agents the knowledge base."""
    if context.invoked_subcommand is not None:
        return
    try:
        from calmkb.wings.mcp.server import build_server
    except ModuleNotFoundError as error:
        from calmkb.kb.project.install_source import install_extra

        raise CalmError(
            f"the MCP server needs an extra ({error.name} is missing): {install_extra('mcp')}"
        ) from None
    # Tools for private notes and for what clients keep work before there is a knowledge base.
    kb_from(
        context, must_exist=False
    )  # a broken configuration is reported now, not at the first call
    names = [name.strip() for name in tools.split(",") if name.strip()] or ["default"]
    server = build_server(
        lambda: kb_from(context, must_exist=False), names, journal_path=journal_path
    )
    server_started(names, journal_path)
    if context.get_parameter_source("token") is ParameterSource.COMMANDLINE:
        warn("--token is shown to everybody in the list of processes; set CALMKB_MCP_TOKEN instead")
    if http:
        from calmkb.wings.mcp.http import serve_http

        serve_http(server, host=host, port=port, token=token)
    else:
        server.run("stdio")


@mcp.command()
@click.option(
    "--client",
    type=TableChoice("calmkb.kb.hooks.clients:CLIENTS"),
    default="claude",
    show_default=True,
)
@click.option("--project", is_flag=True, help="Only for this project, not for all of yours.")
@click.option("--print", "show", is_flag=True, help="Print the new file; change nothing.")
def install(client: str, project: bool, show: bool) -> None:
    """Register the server in a client's settings; the old file is kept as .bak."""
    from calmkb.kb.base.environment import process_environment
    from calmkb.kb.hooks.toggle import install_server

    done = install_server(process_environment(), client, project=project, write=not show)
    if show:
        click.echo(done.text, nl=False)
    elif not done.changed:
        click.echo(f"{from_home(done.path)} already has it")
    else:
        click.echo(
            f"Registered calmkb in {from_home(done.path)}; it takes effect when {client} restarts"
        )
        if done.backup:
            click.echo(f"The old file is kept as {done.backup}")


def state(kb: "KnowledgeBase") -> str:
    """Return whether Claude Code has the server."""
    from calmkb.kb.hooks.toggle import install_server

    found = install_server(kb.environment, write=False)
    if found.changed:
        return f"off: not in {from_home(found.path)}; register it: calmkb agents mcp install"
    return f"on: registered in {from_home(found.path)}"
