"""Secrets taken out of turns before they are kept, also such as only a later turn gives away."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from calmkb.model.sessions.archive import KeptSession, KeptTurn
from calmkb.redact import Redactor
from calmkb.redact.known import distinct_values
from calmkb.redact.rules.rule import MARK

_COMPLETED = 8
"""Turns before the new ones that are read again: a client goes on with what an agent says."""


def new_turns(
    kept: Sequence[KeptTurn], read: Sequence[KeptTurn], redactor: Redactor
) -> tuple[list[KeptTurn], bool]:
    """Return the filtered turns that are not kept yet, or that differ from what is kept.

    With True they are all turns: a secret that is known only now is in what was kept before.
    """
    known = {(turn.line, turn.part): turn for turn in kept}
    late = {(turn.line, turn.part) for turn in sorted(kept, key=_place)[-_COMPLETED:]}
    fresh = [turn for turn in read if _place(turn) not in known or _place(turn) in late]
    # What was found in earlier turns is a secret in the new ones too.
    marked = {place for place, turn in known.items() if any(MARK in one for one in _texts(turn))}
    clues = [turn for turn in read if _place(turn) in marked]
    filter_ = redactor.knowing(())
    filtered = filtered_turns([*fresh, *clues], filter_)[: len(fresh)]
    found = distinct_values(filter_.hits.values_found)
    if any(value in text for value in found for turn in kept for text in _texts(turn)):
        return filtered_turns(read, redactor.knowing(())), True
    return [turn for turn in filtered if known.get(_place(turn)) != turn], False


def filtered_turns(turns: Sequence[KeptTurn], redactor: Redactor) -> list[KeptTurn]:
    """Return turns without secrets; one that is found in a turn goes from all of them."""
    texts = iter(redactor.contents([text for turn in turns for text in _texts(turn)]))
    return [_filled(turn, texts) for turn in turns]


def filtered_session(session: KeptSession, redactor: Redactor) -> KeptSession:
    """Return what is known of a session without secrets: a folder can be named after one."""
    names = (session.folder, session.project, session.branch, session.source)
    folder, project, branch, source = redactor.contents(names)
    return replace(session, folder=folder, project=project, branch=branch, source=source)


def _texts(turn: KeptTurn) -> tuple[str, ...]:
    return (turn.text, turn.change, turn.tool, *turn.files)


def _filled(turn: KeptTurn, texts: Iterator[str]) -> KeptTurn:
    text, change, tool = next(texts), next(texts), next(texts)
    files = tuple(next(texts) for _ in turn.files)
    return replace(turn, text=text, change=change, tool=tool, files=files)


def _place(turn: KeptTurn) -> tuple[int, int]:
    return turn.line, turn.part
