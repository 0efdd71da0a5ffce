"""Whether a person is at the terminal: only they approve, never a program that runs us."""

import os
import sys
from typing import TYPE_CHECKING

import click

from calmkb.errors import CalmError, StoreError
from calmkb.kb.base.environment import AGENT_MARKS, agent_mark

if TYPE_CHECKING:
    from calmkb.kb.base.knowledge_base import KnowledgeBase

__all__ = ["AGENT_MARKS"]


def no_person_because(context: click.Context) -> str:
    """Return why no person can approve here, or nothing where one can.

    Callers from Python say that a person is there with `run(…, person=True)`.
    """
    known = context.find_root().obj
    if isinstance(known, bool):
        return "" if known else "no person is at a terminal"
    return no_person_at_terminal()


def no_person_at_terminal() -> str:
    """Return why no person can be asked at this process's terminal, or nothing where one can."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return "no person is at a terminal"
    mark = agent_mark(os.environ)
    return f"an agent runs this command ({mark} is set)" if mark else ""


def approver(context: click.Context, kb: "KnowledgeBase") -> str:
    """Return the address of the person at the terminal, or nothing where there is none."""
    if no_person_because(context):
        return ""
    try:
        return kb.reviewer()
    except StoreError:  # outside any repository: signals can be reviewed there too
        return kb.environment.user or "a person"


def require_person(context: click.Context, act: str, instead: str) -> None:
    """Raise CalmError unless a person is at the terminal; `instead` is what an agent can do."""
    if reason := no_person_because(context):
        raise CalmError(f"{act} needs a person at a terminal, and {reason}; {instead}")
