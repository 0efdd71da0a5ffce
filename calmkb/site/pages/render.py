"""Renders pages as Markdown: the Jinja2 environment, and its filters for record text."""

import re
from collections.abc import Callable, Iterable
from datetime import date, datetime
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

from calmkb.model import CONTENT, Category, SessionView, in_utc
from calmkb.site.content.addresses import (
    agent_uri,
    category_uri,
    day_of,
    month_uri,
    relative,
    tag_anchor,
    theme_uri,
)
from calmkb.site.content.catalogue import Catalogue, grouped
from calmkb.site.content.friction import read_day
from calmkb.site.content.landing import item_id, normal
from calmkb.site.pages.drawing import drawing_filters
from calmkb.site.pages.page import Page
from calmkb.site.pictures.periods import day_name
from calmkb.site.text import sanitize as sanitize
from calmkb.site.text.titles import memory_title, session_title
from calmkb.templating import templates_dir

if TYPE_CHECKING:
    from jinja2 import Environment

CATEGORY_TITLES: dict[Category, str] = {
    "error": "Errors",
    "decision": "Decisions",
    "fact": "Facts",
    "workflow": "Workflows",
    "preference": "Preferences",
}
"""Category -> the title of its page."""

# strftime's names follow the machine's language; the same input must give the same bytes.
_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


class PageWriter:
    """Renders the pages of one catalogue."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._environment = environment()

    def body(self, page: Page) -> str:
        """Return the page's body as Markdown."""
        template = self._environment.get_template(f"{page.template}.md.j2")
        catalogue = self._catalogue
        context = {
            "to": partial(relative, here=page.uri),
            "address": catalogue.addresses.get,
            "project_address": catalogue.project_uris.get,
            "replaced": catalogue.successors.__contains__,
            "memory_of": catalogue.memory_by_id.get,
            "person": catalogue.names.get,
            "landing": catalogue.landing,
            "cited": catalogue.memories_of.get,
            "file": page.file,
        }
        if page.shows_all:
            context["catalogue"] = catalogue
        return template.render(page.values | context)


@lru_cache(maxsize=1)  # Compiling the templates takes as long as rendering 400 pages.
def environment() -> "Environment":
    """Return the environment of the site's templates; unmarked text is escaped."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    made = Environment(
        loader=FileSystemLoader(templates_dir() / "site"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals["content"] = CONTENT
    made.filters |= drawing_filters() | {
        "prose": _safe(sanitize.prose),
        "line": _safe(sanitize.line),
        "headline": sanitize.headline,
        "title": session_title,
        "rule": memory_title,
        "verbatim": _safe(sanitize.verbatim),
        "ago": ago,
        "agent_uri": agent_uri,
        "anchor": anchor,
        "by_day": _by_day,
        "capitalised": lambda text: text[:1].upper() + text[1:],
        "category_title": CATEGORY_TITLES.__getitem__,
        "category_uri": category_uri,
        "tag_anchor": tag_anchor,
        "count": count,
        "date": day_name,
        "written_day": _written_day,
        "day": day,
        "month": month,
        "month_uri": month_uri,
        "moment": moment,
        "theme_uri": theme_uri,
        "normal": normal,
        "said": _safe(_said),
        "iso": lambda value: in_utc(value).isoformat(),
    }
    return made


def day(value: datetime) -> str:
    """Return `19 Oct 2026`."""
    value = in_utc(value)
    return f"{value.day} {_MONTHS[value.month - 1][:3]} {value.year}"


def ago(value: datetime | date, today: date) -> str:
    """Return `today`, `3 days ago`, `5 weeks ago`, `4 months ago`."""
    days = (today - (in_utc(value).date() if isinstance(value, datetime) else value)).days
    if days <= 0:
        return "today"
    if days < 14:
        return f"{count(days, 'day')} ago" if days > 1 else "yesterday"
    if days < 70:
        return f"{days // 7} weeks ago"
    return f"{days // 30} months ago" if days < 730 else f"{days // 365} years ago"


def _said(field: str, item: str) -> str:
    """Return the place that a link to an item of a session lands on; its id is hexadecimal."""
    return f'<span class="calm-said" id="{item_id(field, item)}"></span>'


def _written_day(text: str) -> str:
    """Return a day of evidence as pages write days; what is none stays as it is."""
    found = read_day(text)
    return day_name(found) if found else text


def _by_day(views: Iterable[SessionView]) -> list[list[SessionView]]:
    return list(grouped(views, lambda view: day_of(view.entry.created_at)).values())


def moment(value: datetime) -> str:
    """Return `19 Oct 2026, 14:22 UTC`."""
    return f"{day(value)}, {in_utc(value):%H:%M} UTC"


def month(value: datetime) -> str:
    """Return `October 2026`."""
    value = in_utc(value)
    return f"{_MONTHS[value.month - 1]} {value.year}"


def count(number: int, one: str, many: str = "") -> str:
    """Return `1 session`, `1,204 sessions`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def anchor(text: str) -> str:
    """Return an id for a heading, from an id of any form."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-") or "unnamed"


def _safe(function: Callable[..., str]) -> Callable[..., Any]:
    """Mark what `function` returns as safe, so that autoescape leaves it alone."""
    from markupsafe import Markup

    def marked(*arguments: Any, **options: Any) -> Markup:
        return Markup(function(*arguments, **options))  # noqa: S704 - it is what these filters are for

    return marked
