"""`calmkb run serve`: the run journal for programs and people."""

import asyncio

import click

from calmkb.wings.runs.commands.common import OpenedHere, on_database


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", type=click.IntRange(0, 65_535), default=8766, show_default=True,
              help="The port to listen on; 0 takes any free one.")  # fmt: skip
@click.option("--token", envvar="CALMKB_RUNS_TOKEN", help="What clients must send as "
              "`Authorization: Bearer`; needed on any address but this machine's own.")  # fmt: skip
@click.option("--name", "names", multiple=True, metavar="HOST", help="Another host name that "
              "clients use, such as a proxy's; repeatable.")  # fmt: skip
@on_database
def serve(
    opened: OpenedHere, host: str, port: int, token: str | None, names: tuple[str, ...]
) -> None:
    """Serve the run journal over HTTP: sessions, runs, live events, and a page at /.

    Runs that were running when the last server died are marked as failed first.
    """
    from calmkb.wings.runs.http.server import serve_runs

    asyncio.run(serve_runs(
        opened(), host=host, port=port, token=token, names=names,
        ready=lambda address: click.echo(f"Runs at {address} (^C ends it)", err=True),
    ))  # fmt: skip
