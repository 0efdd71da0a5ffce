"""`calmkb serve`: the run journal for programs and people."""

from typing import TYPE_CHECKING

import click

from calmkb.cli.base.common import kb_from
from calmkb.cli.runs.common import database, drive, needs_runs
from calmkb.errors import CalmError

if TYPE_CHECKING:
    from calmkb.kb.base.knowledge_base import KnowledgeBase


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", type=click.IntRange(0, 65_535), default=8766, show_default=True,
              help="The port to listen on; 0 takes any free one.")  # fmt: skip
@click.option("--token", envvar="CALMKB_RUNS_TOKEN", help="What clients must send as "
              "`Authorization: Bearer`; needed on any address but this machine's own.")  # fmt: skip
@click.option("--name", "names", multiple=True, metavar="HOST", help="Another name that clients "
              "call it by, as a proxy's; several times for several.")  # fmt: skip
@database
@click.pass_context
def serve(
    context: click.Context,
    host: str,
    port: int,
    token: str | None,
    names: tuple[str, ...],
    database: str | None,
) -> int:
    """Serve the run journal over HTTP: sessions, runs, live events, and a page at /.

    Runs that were going on when the last server died are marked as failed first.
    """
    needs_runs()
    try:
        import fastapi  # noqa: F401
        import uvicorn  # noqa: F401
    except ModuleNotFoundError as error:
        raise CalmError(
            f"the server needs an extra ({error.name} is missing): pip install 'calmkb[runs]'"
        ) from None
    from calmkb.runs.http.guard import check_address

    check_address(host, token)
    kb = kb_from(context)
    return drive(lambda: _serve(kb, database, host=host, port=port, token=token, names=names))


async def _serve(
    kb: "KnowledgeBase",
    database: str | None,
    *,
    host: str,
    port: int,
    token: str | None,
    names: tuple[str, ...],
) -> int:
    from calmkb.kb.runs.running import KbRunner, open_runs
    from calmkb.runs.http.app import make_app
    from calmkb.runs.http.listening import bound, make_server

    with bound(host, port) as listener:
        journal = await open_runs(kb, database)
        port = listener.getsockname()[1]
        app = make_app(journal, KbRunner(kb, journal))
        server = make_server(app, host=host, port=port, token=token, names=names)
        name = f"[{host.strip('[]')}]" if ":" in host else host
        click.echo(f"Runs at http://{name}:{port}/ (^C ends it)", err=True)
        # Runs are cancelled, and the journal is closed, when it ends.
        await server.serve(sockets=[listener])
    return 0
