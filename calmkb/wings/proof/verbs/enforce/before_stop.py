"""What a client asks before its agent ends a turn: whether a command is still to be run."""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO

from calmkb.capture.hooks.payload import text_of
from calmkb.kb.base.environment import Environment
from calmkb.kb.hooks.answer import HookAnswer
from calmkb.store.git.repository import find_repository
from calmkb.store.signals.pending import parse_object
from calmkb.wings.proof.local.enforced import EnforcedMemory, keep_counts, read_enforced
from calmkb.wings.proof.verbs.enforce.before_tool import (
    LAG,
    LIMIT,
    Broken,
    all_checks,
    note_broken,
    session_log,
)
from calmkb.wings.proof.verbs.enforce.calls import end_of_turn


def answer(environment: Environment, stream: BinaryIO) -> HookAnswer:
    """Return the answer to the client for the turn that its input ends."""
    found = before_stop(environment, parse_object(stream.read(LIMIT)) or {})
    if found is None:
        return HookAnswer()
    return HookAnswer(denied=found.words) if found.blocks else HookAnswer(message=found.line)


def before_stop(environment: Environment, payload: Mapping[str, Any]) -> Broken | None:
    """Return what the end of a turn breaks; None where the agent may stop.

    An agent that was held once in a turn stops the next time: it is never kept in a circle.
    """
    rows = read_enforced(environment.own)
    keep_counts(environment.own, environment.now().timestamp())
    folder = Path(text_of(payload, "cwd") or environment.cwd)
    repository = find_repository(folder) if rows else None
    if repository is None or payload.get("stop_hook_active"):
        return None
    for found in _broken(rows, payload):
        if noted := note_broken(replace(environment, cwd=folder), found, repository.top, payload):
            return noted
    return None


def _broken(rows: Sequence[EnforcedMemory], payload: Mapping[str, Any]) -> Iterator[Broken]:
    """Yield the checks that are broken, those that block first.

    The session is read twice where one is: the client writes its log a little late.
    """
    checks = [one for one in all_checks(rows) if one.check.at_stop]
    for wait in (0.0, LAG) if checks else ():
        time.sleep(wait)
        session = session_log(payload)
        end = end_of_turn(session) if session else None
        checks = [one for one in checks if end and one.check.is_broken_by(end)]
        if not checks:
            return
    yield from checks
