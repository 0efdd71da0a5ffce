"""The pages of friction: one that shows it all, and one a theme that came up again."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from calmkb.model import Evidence, SessionView, Theme
from calmkb.model.words import counted
from calmkb.wings.site.content.addresses import normal, theme_uri
from calmkb.wings.site.content.friction import Friction
from calmkb.wings.site.content.theme_states import STATES
from calmkb.wings.site.content.weeks import ranked
from calmkb.wings.site.pages.page import Page

THEMES_SHOWN = 100
LONE_THEMES_SHOWN = 120
SESSIONS_SHOWN = 200
QUOTES_OPEN, QUOTES_SHOWN = 12, 200
ROWS_OPEN = 25
FACETS_SHOWN = 12  # projects and people of one theme that a list can be narrowed to


def friction_pages(friction: Friction) -> Iterator[Page]:
    """Yield the index, then a page for each recurring theme."""
    yield _index(friction)
    for theme in friction.recurring:
        values = _values(friction, theme)
        quotes = (evidence.quote for evidence in (*values["quotes"], *values["folded"]))
        projects = [name for name, _ in values["projects"] if name]
        search = (theme.statement, *projects, *quotes)
        answer = values["memory"]
        if answer and normal(answer.text) == normal(theme.statement):
            search = ()  # the answer's page says the same: both would have one title
        yield Page(
            theme_uri(theme.id),
            "theme",
            values,
            statement=theme.statement,
            search=search,
            about=f"Trouble of {counted(theme.sessions, 'session')}, {values['state']}. "
            f"{theme.statement}",
            tags=("Trouble", *projects[:FACETS_SHOWN]),
        )


def _index(friction: Friction) -> Page:
    """Recurring themes by state, then the long tail of lone ones, so many that it stays light."""
    recurring, lone = friction.ranked, friction.lone
    rows = friction.rows(recurring[:THEMES_SHOWN])
    states = Counter(friction.state(theme) for theme in recurring)
    values: dict[str, Any] = {
        "rows": rows[:ROWS_OPEN],
        "folded": rows[ROWS_OPEN:],
        "facets": {row.theme.id: facets(friction, row.theme) for row in rows},
        "number": len(recurring),
        "states": [(state, states[state]) for state in STATES if states[state]],
        "today": friction.catalogue.today,
        "lone": lone[:LONE_THEMES_SHOWN],
        "lone_left_out": max(0, len(lone) - LONE_THEMES_SHOWN),
        "left_out": max(0, len(recurring) - THEMES_SHOWN),
    }
    return Page("friction.md", "friction", values, title="Friction", nav="Friction")


def facets(friction: Friction, theme: Theme) -> dict[str, list[str]]:
    """Return what a list of themes can be narrowed to: projects and people, most sessions first."""
    views = _sessions(friction, theme)
    authors = friction.catalogue.authors
    people = ranked(authors[view.entry.id] for view in views if view.entry.id in authors)
    return {
        "projects": [name for name, _ in _projects(views) if name][:FACETS_SHOWN],
        "people": [name for name, _ in people[:FACETS_SHOWN]],
    }


def _values(friction: Friction, theme: Theme) -> dict[str, Any]:
    days = friction.days[theme.id]
    views = _sessions(friction, theme)
    quotes = _each_once(theme)
    return {
        "theme": theme,
        "days": days,
        "memory": friction.catalogue.memory_by_id.get(theme.memory_id),
        "projects": _projects(views),
        "entries": [view.entry for view in views[:SESSIONS_SHOWN]],
        "sessions_left_out": max(0, len(views) - SESSIONS_SHOWN),
        "state": friction.state(theme),
        "quiet": friction.quiet(theme),
        "quotes": quotes[:QUOTES_OPEN],
        "folded": quotes[QUOTES_OPEN:QUOTES_SHOWN],
        "quotes_left_out": max(0, len(quotes) - QUOTES_SHOWN),
        "clearest": normal(theme.statement) if quotes else "",
    }


def _sessions(friction: Friction, theme: Theme) -> list[SessionView]:
    """Return the sessions that a theme came up in, newest first."""
    known = friction.catalogue.entry_by_id
    sources = dict.fromkeys(one.source for one in theme.evidence)
    views = [known[source] for source in sources if source in known]
    return sorted(views, key=lambda v: (v.entry.created_at, v.entry.id), reverse=True)


def _projects(views: list[SessionView]) -> list[tuple[str, int]]:
    return ranked(view.entry.project_name for view in views)


def _each_once(theme: Theme) -> list[Evidence]:
    """Return the quotes, newest first, equal ones once; the one that heads the theme first."""
    words: dict[str, Evidence] = {}
    for one in reversed(theme.evidence):
        words.setdefault(normal(one.quote), one)
    clearest = words.pop(normal(theme.statement), None)
    return [*([clearest] if clearest else []), *words.values()]
