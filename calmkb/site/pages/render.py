"""Renders pages as Markdown: the Jinja2 environment, and its filters for record text."""

import re
from collections.abc import Callable
from datetime import datetime
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

from calmkb.model import CONTENT, Category, in_utc
from calmkb.site.content.addresses import (
    agent_uri,
    category_uri,
    month_uri,
    relative,
    tag_anchor,
    theme_uri,
)
from calmkb.site.content.catalogue import Catalogue
from calmkb.site.pages.drawing import drawing_filters
from calmkb.site.pages.page import Page
from calmkb.site.pictures.periods import day_name
from calmkb.site.text import sanitize as sanitize
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
        "verbatim": _safe(sanitize.verbatim),
        "agent_uri": agent_uri,
        "anchor": anchor,
        "capitalised": lambda text: text[:1].upper() + text[1:],
        "category_title": CATEGORY_TITLES.__getitem__,
        "category_uri": category_uri,
        "tag_anchor": tag_anchor,
        "count": count,
        "date": day_name,
        "day": day,
        "month": month,
        "month_uri": month_uri,
        "moment": moment,
        "theme_uri": theme_uri,
        "iso": lambda value: in_utc(value).isoformat(),
    }
    return made


def day(value: datetime) -> str:
    """Return `19 Oct 2026`."""
    value = in_utc(value)
    return f"{value.day} {_MONTHS[value.month - 1][:3]} {value.year}"


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
