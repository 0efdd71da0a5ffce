"""`calmkb site week`: a week of the knowledge base as Markdown, as its page on the site has it."""

import re
from datetime import date, timedelta

from calmkb.errors import CalmError
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.wings.site.content.catalogue import Catalogue
from calmkb.wings.site.content.friction import Friction
from calmkb.wings.site.content.week_summary import week_summary
from calmkb.wings.site.content.weeks import Week, week_name, weeks
from calmkb.wings.site.verbs.pages import library

_NAME = re.compile(r"(\d{4})-W(\d{2})")


def week_digest(kb: KnowledgeBase, name: str = "") -> tuple[str, str]:
    """Return the name of a week and its summary; without a name the week of today.

    `name` is `2026-W47`, `this` or `last`. Raises CalmError on any other.
    """
    catalogue = Catalogue(library(kb))
    today = catalogue.today or kb.environment.now().date()
    monday = _monday(name or "this", today)
    found = weeks(catalogue, Friction(catalogue))
    week = next((one for one in found if one.monday == monday), Week(monday))
    return week_name(monday), week_summary(week)


def _monday(name: str, today: date) -> date:
    if name in ("this", "last"):
        return today - timedelta(days=today.weekday() + 7 * (name == "last"))
    found = _NAME.fullmatch(name.upper())
    try:
        if found:
            return date.fromisocalendar(int(found[1]), int(found[2]), 1)
    except ValueError:
        pass
    example = week_name(today)
    raise CalmError(f"--week is {name!r}; give a week as {example}, or `this` or `last`")
