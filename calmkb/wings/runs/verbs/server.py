"""The run journal of a knowledge base over HTTP."""

from collections.abc import Callable, Sequence

from calmkb.http_server.guard import check_address
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.wings.runs.http.app import make_app
from calmkb.wings.runs.http.server import bound, make_server
from calmkb.wings.runs.verbs.running import KbRunner, open_runs


async def serve_runs(
    kb: KnowledgeBase, database: str | None, *, host: str, port: int, token: str | None,
    names: Sequence[str], ready: Callable[[str], None],
) -> None:  # fmt: skip
    """Serve until interrupted; `ready` is given the address once the server listens.

    Clients must send `token`, and may call the server by `names` too. CalmError on an address that
    needs a token and has none, or that cannot be listened on. Runs are cancelled and the journal is
    closed at the end.
    """
    check_address(host, token)
    with bound(host, port) as listener:
        journal = await open_runs(kb, database)
        port = listener.getsockname()[1]
        app = make_app(journal, KbRunner(kb, journal))
        server = make_server(app, host=host, port=port, token=token, names=names)
        name = f"[{host.strip('[]')}]" if ":" in host else host
        ready(f"http://{name}:{port}/")
        await server.serve(sockets=[listener])
