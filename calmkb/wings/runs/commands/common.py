"""What `run`, `chat` and `serve` share: the database option, the extra, the event loop."""

import asyncio
import os
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

import click

from calmkb.errors import CalmError
from calmkb.kb.base.environment import agent_mark

URL = "CALMKB_RUNS_URL"
T = TypeVar("T")

database = click.option(
    "--database",
    metavar="URL",
    envvar=None if agent_mark(os.environ) else URL,  # a project's settings may set it there
    help=f"Where runs are stored: sqlite:///FILE or postgres://…; else {URL}, then the state "
    "folder.",
)


def needs_runs() -> None:
    """Raise CalmError where the extra is not installed."""
    try:
        import sqlalchemy  # noqa: F401
    except ModuleNotFoundError as error:
        from calmkb.kb.project.install_source import install_extra

        raise CalmError(
            f"runs need an extra ({error.name} is missing): {install_extra('runs')}"
        ) from None


def drive(main: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Return what `main` returns; ^C cancels it, lets it clean up, and is 130."""
    with asyncio.Runner() as runner:
        return runner.run(main())


def is_coloured(stream: Any) -> bool:
    """Return whether to use colours: on a terminal, unless NO_COLOR is set."""
    return bool(stream.isatty()) and not os.environ.get("NO_COLOR")


def refuse_empty_session(session_id: str | None) -> None:
    """Raise CalmError on a session id that is empty: it may be a variable that is not set."""
    if session_id is not None and not session_id.strip():
        raise CalmError("--session-id is empty; leave it out to begin a session")
