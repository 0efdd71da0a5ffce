"""The front page: what waits, what changed in a week, friction to act on, what is new."""

from datetime import timedelta
from typing import Any

from calmkb.model.words import counted
from calmkb.wings.site.content.addresses import day_of
from calmkb.wings.site.content.catalogue import Catalogue
from calmkb.wings.site.content.friction import Friction
from calmkb.wings.site.pages.friction import facets
from calmkb.wings.site.pages.page import Page
from calmkb.wings.site.pages.to_do import to_do

_WEEK = timedelta(days=7)
_THEMES, _MEMORIES, _SESSIONS = 5, 4, 6


def home(catalogue: Catalogue, friction: Friction) -> Page:
    """Return the front page."""
    values: dict[str, Any] = {
        "tasks": to_do(catalogue, friction),
        "changes": changes(catalogue, friction),
        "friction": friction.rows(friction.ranked[:_THEMES]),
        "facets": {theme.id: facets(friction, theme) for theme in friction.ranked[:_THEMES]},
        "themes": len(friction.recurring),
        "newest": catalogue.memories[:_MEMORIES],
        "latest": catalogue.sessions[:_SESSIONS],
        "digest": catalogue.source.digests[0] if catalogue.source.digests else None,
    }
    return Page("index.md", "home", values, shows_all=True, nav="Home")


def changes(catalogue: Catalogue, friction: Friction) -> tuple[list[tuple[str, str]], int]:
    """Return what the last seven days brought, with its page, and the sessions of those before.

    Nothing where neither brought anything. A trouble counts when it came up a second time.
    """
    today = catalogue.today
    if today is None:
        return [], 0
    sessions, memories, reflections = (
        [day_of(record.created_at) for record in records] for records in catalogue.dated
    )
    recurred = [days[1] for one in friction.recurring if len(days := friction.days[one.id]) > 1]
    start = today - _WEEK
    found = [
        (sum(start < day <= today for day in days), words, uri)
        for days, words, uri in (
            (sessions, ("session",), "sessions/index.md"),
            (recurred, ("new recurring trouble",), "friction.md"),
            (memories, ("new memory", "new memories"), "memories/index.md"),
            (reflections, ("reflection",), "reflections/index.md"),
        )
    ]
    before = sum(start - _WEEK < day <= start for day in sessions)
    if not before and not any(number for number, *_ in found):
        return [], 0
    shown = [found[0], *(one for one in found[1:] if one[0])]
    return [(counted(number, *words), uri) for number, words, uri in shown], before
