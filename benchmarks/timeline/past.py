"""What a method may read on a given day, and what it lists."""

from collections.abc import Callable
from dataclasses import dataclass

from calmkb.model import Evidence, SessionView
from calmkb.reflect.similarity.methods import Method
from calmkb.reflect.statements.statements import Statement, statements_of
from timeline.folder import Session


@dataclass(frozen=True, slots=True)
class Listed:
    """One text that a method lists, and what it is based on."""

    text: str
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class Past:
    """The sessions that ended before a day: their records, their transcripts.

    `method` is how calmkb compares texts. Nothing else is given to a method that lists.
    """

    views: tuple[SessionView, ...]
    sessions: tuple[Session, ...]
    method: Method

    @property
    def statements(self) -> list[Statement]:
        """What the sessions recorded, oldest first."""
        return statements_of(self.views)

    @property
    def told(self) -> list[Statement]:
        """Friction points and learnings, each text once, oldest first; no next steps."""
        return list({one.text: one for one in self.statements if one.friction}.values())


Ranker = Callable[[Past], list[Listed]]
"""Lists texts worth remembering, best first."""
