"""The pages of friction: one that shows it all, and one a theme that came up again."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from calmkb.model import Evidence, SessionView, Theme
from calmkb.site.content.addresses import theme_uri
from calmkb.site.content.friction import Friction, days_of
from calmkb.site.pages.page import Page

THEMES_SHOWN = 100
LONE_THEMES_SHOWN = 120
SESSIONS_SHOWN = 200
QUOTES_SHOWN = 12


def friction_pages(friction: Friction) -> Iterator[Page]:
    """Yield the index, then a page for each recurring theme."""
    yield _index(friction)
    for theme in friction.recurring:
        values = _values(friction, theme)
        quotes = (evidence.quote for evidence in values["quotes"])
        projects = (name for name, _ in values["projects"])
        yield Page(
            theme_uri(theme.id),
            "theme",
            values,
            statement=theme.statement,
            search=(theme.statement, *projects, *quotes),
        )


def _index(friction: Friction) -> Page:
    """Recurring themes, then the long tail of lone ones, so many that the page stays light."""
    recurring, lone = friction.recurring, friction.lone
    values: dict[str, Any] = {
        "recurring": friction.rows(recurring[:THEMES_SHOWN]),
        "number": len(recurring),
        "answered": sum(theme.memory_id in friction.catalogue.memory_by_id for theme in recurring),
        "small": friction.in_small(recurring),
        "days": friction.span,
        "lone": lone[:LONE_THEMES_SHOWN],
        "left_out": max(0, len(recurring) - THEMES_SHOWN) + max(0, len(lone) - LONE_THEMES_SHOWN),
    }
    return Page("friction.md", "friction", values, title="Friction", nav="Friction")


def _values(friction: Friction, theme: Theme) -> dict[str, Any]:
    days = days_of(theme)
    views = _sessions(friction, theme)
    quotes = _each_once(theme)
    return {
        "theme": theme,
        "days": days,
        "approved": friction.approved(theme),
        "until": friction.until,
        "memory": friction.catalogue.memory_by_id.get(theme.memory_id),
        "projects": _projects(friction, views),
        "entries": [view.entry for view in views[:SESSIONS_SHOWN]],
        "sessions_left_out": max(0, len(views) - SESSIONS_SHOWN),
        "quotes": quotes[:QUOTES_SHOWN],
        "quotes_left_out": max(0, len(quotes) - QUOTES_SHOWN),
    }


def _sessions(friction: Friction, theme: Theme) -> list[SessionView]:
    """Return the sessions that a theme came up in, newest first."""
    known = friction.catalogue.entry_by_id
    sources = dict.fromkeys(one.source for one in theme.evidence)
    views = [known[source] for source in sources if source in known]
    return sorted(views, key=lambda v: (v.entry.created_at, v.entry.id), reverse=True)


def _projects(friction: Friction, views: list[SessionView]) -> list[tuple[str, int]]:
    """Return the projects that a theme came up in, those of most sessions first."""
    counts = Counter(view.entry.project_name for view in views)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def _each_once(theme: Theme) -> list[Evidence]:
    """Return the quotes, newest first; equal ones once, and the statement itself left out."""
    words: dict[str, Evidence] = {}
    for one in reversed(theme.evidence):
        words.setdefault(" ".join(one.quote.casefold().split()), one)
    words.pop(" ".join(theme.statement.casefold().split()), None)
    return list(words.values())
