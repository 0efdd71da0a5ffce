"""The front page: what is new by the journal's own time, friction, what helped."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from calmkb.model import Helping, Memory
from calmkb.site.content.catalogue import Catalogue
from calmkb.site.content.friction import Friction
from calmkb.site.pages.page import Page
from calmkb.site.pages.sessions import tallies
from calmkb.site.pictures.frame import counted

NEWS_DAYS = 7
_THEMES, _HELPED, _MEMORIES, _SESSIONS = 5, 3, 4, 6


@dataclass(frozen=True, slots=True)
class News:
    """What came in the days up to the newest record: no clock is asked."""

    until: datetime
    sessions: int
    memories: int
    reflections: int

    @property
    def counts(self) -> list[str]:
        """What there is of each, as words."""
        counts = (
            counted(self.sessions, "session"),
            counted(self.memories, "memory kept", "memories kept"),
            counted(self.reflections, "reflection"),
        )
        return [words for words in counts if not words.startswith("0 ")]


def home(catalogue: Catalogue, friction: Friction) -> Page:
    """Return the front page."""
    values: dict[str, Any] = {
        "news": news(catalogue),
        "friction": friction.rows(catalogue.themes[:_THEMES]),
        "recurring": len(friction.recurring),
        "helped": helped(catalogue)[:_HELPED],
        "newest": catalogue.memories[:_MEMORIES],
        "latest": catalogue.sessions[:_SESSIONS],
        "tallies": tallies(catalogue.sessions),
        "digest": catalogue.library.digests[0] if catalogue.library.digests else None,
    }
    return Page("index.md", "home", values, shows_all=True, nav="Home")


def news(catalogue: Catalogue) -> News | None:
    """Return what the last seven days of the journal brought; None of an empty one."""
    newest = [some[0].created_at for some in _dated(catalogue) if some]
    if not newest:
        return None
    until = max(newest)
    since = until - timedelta(days=NEWS_DAYS)
    return News(until, *(_count(some, since) for some in _dated(catalogue)))


def helped(catalogue: Catalogue) -> list[tuple[Memory, Helping]]:
    """Return the memories that are known to have helped, newest first, with the evidence."""
    health = catalogue.library.health
    known = ((one, health[one.id].helped) for one in catalogue.memories if one.id in health)
    return [(memory, effect) for memory, effect in known if effect and effect.verdict == "helped"]


def _dated(catalogue: Catalogue) -> tuple[list[Any], ...]:
    """Return sessions, memories and reflections, each newest first."""
    sessions = [view.entry for view in catalogue.sessions]
    return sessions, list(catalogue.memories), list(catalogue.reflections)


def _count(records: Iterable[Any], since: datetime) -> int:
    return sum(record.created_at > since for record in records)
