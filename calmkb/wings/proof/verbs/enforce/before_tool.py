"""What a client asks before its agent acts or ends a turn: whether it breaks an enforced memory."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO

from calmkb.capture.formats.cleaning import clip, one_line, whole_texts
from calmkb.capture.formats.table import read_transcript
from calmkb.capture.formats.turns import Transcript
from calmkb.capture.hooks.payload import text_of
from calmkb.errors import TranscriptError
from calmkb.kb.base.environment import Environment
from calmkb.kb.hooks.answer import HookAnswer
from calmkb.model import GLOBAL_SCOPE
from calmkb.store.git.repository import find_repository
from calmkb.store.signals.pending import parse_object
from calmkb.wings.proof.enforce.checks import Call, Check, parse_check
from calmkb.wings.proof.local import (
    EnforcedMemory,
    FiredCheck,
    keep_counts,
    note_fired,
    read_enforced,
    take_pass,
)
from calmkb.wings.proof.verbs.enforce.calls import call_of, end_of_turn, last_passed

_LAG = 0.5  # seconds after which a client has surely written down the answer of the call before
_SHOWN = 120
_LIMIT = 64 * 1024 * 1024
_Ask = Callable[..., Iterator["Broken"]]


@dataclass(frozen=True, slots=True)
class Broken:
    """Which memory a call breaks, by which check, and whether it is stopped."""

    row: EnforcedMemory
    check: Check

    @property
    def words(self) -> str:
        """What the agent reads."""
        short = self.row.memory[:8]
        what = "Ending this turn" if self.check.at_stop else "This call"
        end = (
            f"If it is right all the same, a person lets it pass once with: "
            f"calmkb agents enforce {short} --pass"
            if self.row.level == "block"
            else "This is a warning; the call is made."
        )
        return (
            f"A rule of this project (calmkb memory {short}): {self.row.text}\n"
            f"{what} breaks its check: {self.check}. {end}"
        )

    @property
    def line(self) -> str:
        """What the person reads."""
        rule = clip(one_line(self.row.text), _SHOWN)
        what = "the end of a turn" if self.check.at_stop else "a call"
        return f"calmkb: {what} breaks memory {self.row.memory[:8]}: {rule}"


def answer(environment: Environment, stream: BinaryIO) -> HookAnswer:
    """Return the answer to the client for the call in its input.

    A memory that was edited, retired or never approved on this machine breaks nothing.
    """
    return _answered(environment, stream, _broken_by_call)


def answer_stop(environment: Environment, stream: BinaryIO) -> HookAnswer:
    """Return the answer to the client for the turn that its input ends.

    An agent that was held once in a turn stops the next time: it is never kept in a circle.
    """
    keep_counts(environment.own, environment.now().timestamp())
    return _answered(environment, stream, _unrun)


def _answered(environment: Environment, stream: BinaryIO, broken: _Ask) -> HookAnswer:
    found = _first(environment, parse_object(stream.read(_LIMIT)) or {}, broken)
    if found is None:
        return HookAnswer()
    if found.row.level == "block":
        return HookAnswer(denied=found.words)
    return HookAnswer("" if found.check.at_stop else found.words, found.line)


def _first(environment: Environment, payload: Mapping[str, Any], broken: _Ask) -> Broken | None:
    """Note the first check that is broken and holds here, and return it."""
    rows = read_enforced(environment.own)
    folder = Path(text_of(payload, "cwd") or environment.cwd)
    repository = find_repository(folder) if rows else None
    if repository is None:
        return None
    here = replace(environment, cwd=folder)
    found = broken(rows, payload, (str(repository.top), str(folder)))
    noted = (note_broken(here, one, repository.top, payload) for one in found)
    return next(filter(None, noted), None)


def _broken_by_call(
    rows: Sequence[EnforcedMemory], payload: Mapping[str, Any], tops: Sequence[str]
) -> Iterator[Broken]:
    given = payload.get("tool_input")
    call = call_of(text_of(payload, "tool_name"), given if isinstance(given, dict) else {}, tops)
    for one in all_checks(rows):
        if not one.check.first and one.check.is_broken_by(call):
            yield one
        elif one.check.first and replace(one.check, kind="run").is_broken_by(call):
            yield from _still_broken(
                [one], payload, lambda log: replace(call, previous=last_passed(log))
            )


def note_broken(
    environment: Environment, found: Broken, top: Path, payload: Mapping[str, Any]
) -> Broken | None:
    """Note what fired in the repository at `top` and return it.

    None where the memory holds nothing there, or a person let it pass.
    """
    if not _applies(environment, found.row, top):
        return None
    now, row = environment.now(), found.row
    passed = take_pass(environment.own, row.memory, now.timestamp())
    note_fired(
        environment.own,
        FiredCheck(
            memory=row.memory,
            knowledge_base=row.knowledge_base,
            session=text_of(payload, "session_id"),
            at=now.isoformat(timespec="seconds"),
            check=str(found.check),
            outcome="passed" if passed else "block" if row.level == "block" else "warn",
        ),
    )
    return None if passed else found


def all_checks(rows: Sequence[EnforcedMemory]) -> Iterator[Broken]:
    """Yield what may be broken, what is blocked first."""
    for row in sorted(rows, key=lambda one: one.level != "block"):
        yield from (Broken(row, check) for check in map(parse_check, row.checks))


def _still_broken(
    checks: list[Broken], payload: Mapping[str, Any], last: Callable[[Transcript], Call | None]
) -> list[Broken]:
    """Return the checks that the last call of the session breaks; nothing known breaks none.

    Where one is broken it is read twice, for the client writes its log a little late.
    """
    for wait in (0.0, _LAG):
        if checks:
            time.sleep(wait)
            session = session_log(payload)
            call = last(session) if session else None
            checks = [one for one in checks if call and one.check.is_broken_by(call)]
    return checks


def session_log(payload: Mapping[str, Any]) -> Transcript | None:
    """Return the session that asks, with whole texts; None where it cannot be read."""
    path = Path(text_of(payload, "transcript_path"))
    if agent := text_of(payload, "agent_id"):
        path = path.with_suffix("") / "subagents" / f"agent-{agent}.jsonl"
    try:
        with whole_texts():
            return read_transcript(path)
    except (TranscriptError, OSError, ValueError):
        return None


def _applies(environment: Environment, row: EnforcedMemory, top: Path) -> bool:
    # What reads a knowledge base takes half of the time to load; most calls break nothing.
    from calmkb.kb.base.knowledge_base import open_kb
    from calmkb.kb.base.reading import current_project
    from calmkb.wings.proof.verbs.enforce.switch import committed_kb, still_holds

    root = row.knowledge_base
    kb = committed_kb(environment, Path(root)) or open_kb(environment, option=root)
    here = {name.casefold() for name in (kb.at(top).project.name, current_project(kb, top))}
    return row.scope.casefold() in {GLOBAL_SCOPE, *here} and still_holds(kb, row)


def _unrun(
    rows: Sequence[EnforcedMemory], payload: Mapping[str, Any], _: Sequence[str]
) -> Iterator[Broken]:
    """Yield the checks that are broken, those that block first."""
    held = bool(payload.get("stop_hook_active"))
    checks = [one for one in all_checks(rows) if one.check.at_stop and not held]
    yield from _still_broken(checks, payload, end_of_turn)
