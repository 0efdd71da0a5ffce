"""What sessions said that could be learnt from, one sentence or two at a time."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from calmkb.model import Entry, Origin, SessionView

_BLANKS = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Statement:
    """One friction point or next step; `fresh` until a reflection has covered its entry."""

    text: str
    entry_id: str
    date: str
    project: str
    friction: bool
    fresh: bool
    origin: Origin


def statements_of(sessions: Iterable[SessionView]) -> list[Statement]:
    """Return the statements of all sessions, oldest first, whatever their order here."""
    ordered = sorted(sessions, key=lambda view: (view.entry.created_at, view.entry.id))
    return [statement for view in ordered for statement in _of(view)]


def _of(view: SessionView) -> Iterable[Statement]:
    entry = view.entry
    for friction, texts in ((True, entry.friction_points), (False, entry.next_steps)):
        for text in texts:
            yield Statement(
                text=_BLANKS.sub(" ", text).strip(),
                entry_id=entry.id,
                date=entry.created_at.strftime("%Y-%m-%d"),
                project=entry.project_name,
                friction=friction,
                fresh=view.reflected_at is None,
                origin=_origin(entry),
            )


def _origin(entry: Entry) -> Origin:
    return "agent" if entry.agent else "person"
