"""What a page is called where only plain words will do: in front matter, in search, in feeds."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from calmkb.site.pages.page import Page
from calmkb.site.pages.render import CATEGORY_TITLES, day, month
from calmkb.site.text.sanitize import headline, label


@dataclass(frozen=True, slots=True)
class Heading:
    """A page's title and description, not yet escaped; only the front page has no title."""

    title: str = ""
    description: str = ""


def heading(page: Page) -> Heading:
    """Return the title and description of a page."""
    named = _NAMED.get(page.template)
    return named(page.values) if named else Heading(page.title)


def _said(text: str, limit: int) -> Heading:
    return Heading(headline(text, limit), headline(text, 160))


def _told(values: Mapping[str, Any]) -> Heading:
    project = f" in {values['told'].project}" if values["of_another"] else ""
    return Heading(f"What agents are told{project}")


_NAMED: dict[str, Callable[[Mapping[str, Any]], Heading]] = {
    "session": lambda values: _said(values["entry"].summary, 90),
    "memory": lambda values: _said(values["memory"].text, 110),
    "theme": lambda values: _said(values["theme"].statement, 110),
    "told": _told,
    "project": lambda values: Heading(values["name"] or "No project"),
    "agent": lambda values: Heading(values["agent"].name),
    "category": lambda values: Heading(CATEGORY_TITLES[values["category"]]),
    "month": lambda values: Heading(f"Sessions of {month(values['first'])}"),
    "day": lambda values: Heading(f"Sessions of {day(values['first'].created_at)}"),
    "reflection": lambda values: Heading(f"Reflection of {day(values['reflection'].created_at)}"),
}
"""Template -> the heading of a page of which there are many, from what it shows."""


SAME_FRONT: dict[str, Any] = {
    "generated_by": "calmkb",
    "hide": ["navigation", "toc"],
    "search": {"exclude": True},
}
"""The front matter of every page. The site's own index of words is made from the records, so the
theme is told to leave the page out of its own (see `search_documents`)."""


def front_matter(page: Page) -> dict[str, str]:
    """Return what a theme reads from the page beside `SAME_FRONT`.

    It is escaped, for themes copy it into HTML as it is. Without a title, they take the heading,
    undo its escaping and put it into <title>.
    """
    front = {}
    found = heading(page)
    if found.title:
        front["title"] = label(found.title, 120)
    if found.description:
        front["description"] = label(found.description, 160)
    return front
