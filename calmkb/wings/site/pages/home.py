"""The front page: what waits, what changed in a week, friction to act on, what stopped."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from calmkb.model import Memory
from calmkb.model.memories.backtest import Backtest
from calmkb.wings.site.content.addresses import day_of
from calmkb.wings.site.content.catalogue import Catalogue
from calmkb.wings.site.content.friction import Friction
from calmkb.wings.site.pages.friction import facets
from calmkb.wings.site.pages.page import Page
from calmkb.wings.site.pages.to_do import to_do

NEWS_DAYS = 7
_THEMES, _STOPPED, _MEMORIES, _SESSIONS = 5, 3, 4, 6


@dataclass(frozen=True, slots=True)
class Change:
    """Of one kind of record: how many in the last seven days, in the seven before, and in all."""

    name: str
    uri: str
    now: int
    before: int
    total: int


def home(catalogue: Catalogue, friction: Friction) -> Page:
    """Return the front page."""
    values: dict[str, Any] = {
        "tasks": to_do(catalogue, friction),
        "changes": changes(catalogue, friction),
        "friction": friction.rows(friction.ranked[:_THEMES]),
        "facets": {theme.id: facets(friction, theme) for theme in friction.ranked[:_THEMES]},
        "themes": len(friction.recurring),
        "stopped": stopped(catalogue)[:_STOPPED],
        "newest": catalogue.memories[:_MEMORIES],
        "latest": catalogue.sessions[:_SESSIONS],
        "digest": catalogue.source.digests[0] if catalogue.source.digests else None,
    }
    return Page("index.md", "home", values, shows_all=True, nav="Home")


def changes(catalogue: Catalogue, friction: Friction) -> list[Change]:
    """Return what the last seven days brought, beside the seven before; nothing where neither did.

    A trouble counts on the day on which it came up a second time.
    """
    today = catalogue.today
    if today is None:
        return []
    sessions, memories, reflections = (
        [day_of(record.created_at) for record in records] for records in catalogue.dated
    )
    recurred = [days[1] for one in friction.recurring if len(days := friction.days[one.id]) > 1]
    found = [
        _change("Sessions", "sessions/index.md", sessions, today),
        _change("Recurring troubles", "friction.md", recurred, today),
        _change("Memories", "memories/index.md", memories, today),
        _change("Reflections", "reflections/index.md", reflections, today),
    ]
    return found if any(one.now or one.before for one in found) else []


def stopped(catalogue: Catalogue) -> list[tuple[Memory, Backtest]]:
    """Return the memories whose trouble came again before and not since, newest first."""
    tests = catalogue.source.backtests
    known = ((one, tests[one.id]) for one in catalogue.memories if one.id in tests)
    return [(one, test) for one, test in known if test.met and test.verdict == "not hit since"]


def _change(name: str, uri: str, days: Sequence[date], today: date) -> Change:
    week, fortnight = (today - timedelta(days=n * NEWS_DAYS) for n in (1, 2))
    now = sum(week < day <= today for day in days)
    return Change(name, uri, now, sum(fortnight < day <= week for day in days), len(days))
