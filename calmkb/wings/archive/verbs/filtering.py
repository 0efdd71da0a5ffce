"""Secrets taken out of turns before they are kept, also such as only a later turn gives away."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from calmkb.model.sessions.archive import KeptSession, KeptTurn
from calmkb.redact import Redactor
from calmkb.redact.known import distinct_values, hide_known
from calmkb.redact.rules.rule import MARK

_COMPLETED = 8
"""Turns before the new ones that are read again: a client goes on with what an agent says."""


@dataclass(slots=True)
class Known:
    """What is kept of a session: the places of its turns, the last of them whole, its secrets."""

    places: set[tuple[int, int]] = field(default_factory=set)
    marked: set[tuple[int, int]] = field(default_factory=set)
    late: dict[tuple[int, int], KeptTurn] = field(default_factory=dict)
    values: dict[str, str] = field(default_factory=dict)

    def take(self, turns: Iterable[KeptTurn]) -> "Known":
        """Take kept turns in one by one: a session may be large."""
        for turn in turns:
            place = _place(turn)
            self.places.add(place)
            self.late[place] = turn
            if len(self.late) > _COMPLETED:
                del self.late[min(self.late)]
            if any(MARK in one for one in _texts(turn)):
                self.marked.add(place)
        return self

    @property
    def before_late(self) -> int:
        """The line before those that are read again."""
        return min((line for line, _ in self.late), default=1) - 1


def new_turns(
    known: Known,
    kept: Callable[[], Iterable[KeptTurn]],
    read: Sequence[KeptTurn],
    redactor: Redactor,
) -> tuple[list[KeptTurn], Iterable[KeptTurn]]:
    """Return the filtered turns that are not kept yet, or that differ from what is kept.

    Then all that is kept, filtered again, where a secret that is known only now is in it.
    """
    fresh = [turn for turn in read
             if _place(turn) not in known.places or _place(turn) in known.late]  # fmt: skip
    # What was found in earlier turns is a secret in the new ones too.
    clues = [turn for turn in read if _place(turn) in known.marked]
    filter_ = redactor.knowing((), known.values)
    filtered = filtered_turns([*fresh, *clues], filter_)[: len(fresh)]
    found = distinct_values(filter_.hits.values_found)
    known.values |= found
    new = [turn for turn in filtered if known.late.get(_place(turn)) != turn]
    texts = (text for turn in (kept() if found else ()) for text in _texts(turn))
    if not any(value in text for text in texts for value in found):
        return new, ()
    hide = partial(hide_known, known=found, hits=filter_.hits)
    last = {_place(turn): number for number, turn in enumerate(kept())}
    last |= dict.fromkeys(map(_place, new), -1)
    return new, (_filled(turn, map(hide, _texts(turn))) for number, turn in enumerate(kept())
                 if last[_place(turn)] == number)  # fmt: skip


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
