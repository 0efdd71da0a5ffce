"""What the commands share: the options for the database and for a session to continue."""

import os
from functools import partial
from importlib.util import find_spec
from typing import Any

import click

from calmkb.errors import CalmError
from calmkb.kb.base.environment import agent_mark

URL = "CALMKB_RUNS_URL"


def _refuse_without_extra(_context: click.Context, _option: click.Parameter, url: Any) -> Any:
    missing = [name for name in ("sqlalchemy", "fastapi", "uvicorn") if not find_spec(name)]
    if missing:
        from calmkb.kb.project.install_source import install_extra

        raise CalmError(f"runs need an extra ({missing[0]} is missing): {install_extra('runs')}")
    return url


def _refuse_empty(_context: click.Context, _option: click.Parameter, session_id: Any) -> Any:
    if session_id is not None and not session_id.strip():  # it may be a variable that is not set
        raise CalmError("--session-id is empty; leave it out to begin a session")
    return session_id


database = click.option(
    "--database",
    metavar="URL",
    envvar=None if agent_mark(os.environ) else URL,  # a project's settings may set it there
    callback=_refuse_without_extra,
    help=f"Where runs are stored: sqlite:///FILE or postgres://…; else {URL}, then the state "
    "folder.",
)
to_continue = partial(click.option, "--session-id", callback=_refuse_empty)
