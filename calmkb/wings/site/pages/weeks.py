"""The pages of weeks: a list of them, and one each at an address that never changes."""

from collections.abc import Iterator
from typing import Any

from calmkb.wings.site.content.addresses import week_uri
from calmkb.wings.site.content.catalogue import Catalogue
from calmkb.wings.site.content.friction import Friction
from calmkb.wings.site.content.week_summary import week_summary
from calmkb.wings.site.content.weeks import Week, weeks
from calmkb.wings.site.pages.page import Page, leaves

A_PAGE = 60
SHOWN = 30
TROUBLES_SHOWN = 8


def week_pages(catalogue: Catalogue, friction: Friction) -> Iterator[Page]:
    """Yield the list of weeks, newest first, and the page of each."""
    listed = weeks(catalogue, friction)
    rows = [(one.dates, week_uri(one.name), *_counts(one)) for one in listed]
    for uri, leaf, some in leaves("weeks/index.md", rows, A_PAGE):
        nav = "" if leaf.earlier else "Weeks"
        yield Page(uri, "weeks", {"weeks": list(some), "leaf": leaf}, title="Weeks", nav=nav)
    names = [one.name for one in listed]
    for week, before, after in zip(listed, [*names[1:], ""], ["", *names], strict=False):
        yield Page(week_uri(week.name), "week", _values(week, before, after), title=week.dates)


def _counts(week: Week) -> tuple[int, int, int]:
    back = sum(met.how == "came back" for met in week.troubles)
    return len(week.sessions), len(week.memories), back


def _values(week: Week, before: str, after: str) -> dict[str, Any]:
    return {
        "name": week.name,
        "dates": week.dates,
        "sessions": week.sessions[:SHOWN],
        "number": len(week.sessions),
        "week_before": week.before,
        "projects": week.projects,
        "people": week.people,
        "memories": week.memories[:SHOWN],
        "reflections": week.reflections[:SHOWN],
        "troubles": [(met.how, met.theme, met.sessions) for met in week.troubles[:TROUBLES_SHOWN]],
        "troubles_left_out": max(0, len(week.troubles) - TROUBLES_SHOWN),
        "opened": week.opened[:SHOWN],
        "done": week.done[:SHOWN],
        "summary": week_summary(week),
        "before": before and week_uri(before),
        "after": after and week_uri(after),
    }
