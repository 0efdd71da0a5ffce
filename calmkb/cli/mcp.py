"""`calmkb mcp`: agents at the table."""

import click

from calmkb.cli.common import kb_from
from calmkb.errors import CalmError


@click.group(invoke_without_command=True)
@click.option("--tools", default="", help="Tool sets, by comma; all of them unless given.")
@click.option("--http", is_flag=True, help="Serve Streamable HTTP instead of standard input.")
@click.option("--host", default="127.0.0.1", show_default=True, help="With --http: the address.")
@click.option("--port", default=8765, show_default=True, help="With --http: the port.")
@click.option(
    "--token",
    envvar="CALMKB_MCP_TOKEN",
    help="With --http: what clients must send as `Authorization: Bearer`; needed off loopback.",
)
@click.pass_context
def mcp(
    context: click.Context, tools: str, http: bool, host: str, port: int, token: str | None
) -> None:
    """Serve the knowledge base to agents over the Model Context Protocol."""
    if context.invoked_subcommand is not None:
        return
    try:
        from calmkb.serve.mcp_server.server import build_server
    except ModuleNotFoundError as error:
        raise CalmError(
            f"the MCP server needs an extra ({error.name} is missing): pip install 'calmkb[mcp]'"
        ) from None
    kb_from(context)  # a broken configuration is told now, not at the first call
    names = [name.strip() for name in tools.split(",") if name.strip()]
    server = build_server(lambda: kb_from(context), names or None)
    if http:
        from calmkb.serve.mcp_server.http import serve_http

        serve_http(server, host=host, port=port, token=token)
    else:
        server.run("stdio")
