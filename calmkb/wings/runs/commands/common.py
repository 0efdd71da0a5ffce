"""What the commands share: the runs that they are about, and a session to continue."""

import os
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from functools import partial, wraps
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import click
from click.core import ParameterSource

from calmkb.cli.base.common import kb_from
from calmkb.errors import CalmError
from calmkb.kb.base.environment import agent_mark

if TYPE_CHECKING:
    from calmkb.kb.base.knowledge_base import KnowledgeBase
    from calmkb.wings.runs.verbs.remote import ServerRunner
    from calmkb.wings.runs.verbs.running import KbRunner

T = TypeVar("T")
Runner: TypeAlias = "KbRunner | ServerRunner"
Opened: TypeAlias = "Callable[[], AbstractAsyncContextManager[Runner]]"
OpenedHere: TypeAlias = "Callable[[], AbstractAsyncContextManager[KbRunner]]"
URL, SERVER, TOKEN = "CALMKB_RUNS_URL", "CALMKB_RUNS_SERVER", "CALMKB_RUNS_TOKEN"
_heard = not agent_mark(os.environ)  # a project's settings may set variables there
_server = click.option(
    "--server",
    metavar="URL",
    envvar=SERVER if _heard else None,
    help=f"Ask this server, with {TOKEN}.",
)
_database = click.option(
    "--database",
    metavar="URL",
    envvar=URL if _heard else None,
    help=f"sqlite:///FILE or postgres://…; else {URL}, then the state folder.",
)


def _giving(*options: Callable[[Any], Any]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return what gives a command `options` that say where runs are, and first what opens them."""

    def give(command: Callable[..., Any]) -> Callable[..., Any]:
        @click.pass_context
        @wraps(command)
        def with_runs(
            context: click.Context, /, database: str | None, server: str = "", **given: Any
        ) -> Any:
            return command(partial(_open, context, database, server), **given)

        for option in options:
            with_runs = option(with_runs)
        return with_runs

    return give


on_database, on_runs = _giving(_database), _giving(_server, _database)


def ask_runner(opened: Opened, ask: "Callable[[Runner], Awaitable[T]]") -> T:
    """Return what `ask` gets of the runs that a command is about."""

    import asyncio  # three interpreter starts, which `show` of a kept session need not wait for

    async def main() -> T:
        async with opened() as runner:
            return await ask(runner)

    return asyncio.run(main())


def _open(
    context: click.Context, database: str | None, server: str
) -> "AbstractAsyncContextManager[Runner]":
    said = {name for name in ("database", "server")
            if context.get_parameter_source(name) == ParameterSource.COMMANDLINE}  # fmt: skip
    if len(said) == 2:
        raise click.UsageError("--database and --server are two places; give one of them")
    return open_runs(partial(kb_from, context), database, "" if "database" in said else server)


def open_runs(
    kb: "Callable[[], KnowledgeBase]", database: str | None, server: str | None
) -> "AbstractAsyncContextManager[Runner]":
    """Return the runs of a server, else those of a database; "" or None: that of `kb`."""
    if server:
        from calmkb.wings.runs.verbs.remote import ServerRunner

        return nullcontext(ServerRunner(server, os.environ.get(TOKEN, "")))
    missing = [name for name in ("sqlalchemy", "fastapi", "uvicorn") if not find_spec(name)]
    if missing:
        from calmkb.kb.project.install_source import install_extra

        raise CalmError(f"runs need an extra ({missing[0]} is missing): {install_extra('runs')}")
    from calmkb.wings.runs.verbs.running import open_runner

    return open_runner(kb(), database)


def _refuse_empty(_context: click.Context, _option: click.Parameter, session_id: Any) -> Any:
    if session_id is not None and not session_id.strip():  # it may be a variable that is not set
        raise CalmError("--session-id is empty; leave it out to begin a session")
    return session_id


to_continue = partial(click.option, "--session-id", callback=_refuse_empty)
