"""What a page is called where only plain words will do: in front matter, in search, in feeds."""

from dataclasses import dataclass
from typing import Any

from calmkb.site.pages import Page
from calmkb.site.press import day, month
from calmkb.site.sanitise import headline, label


@dataclass(frozen=True, slots=True)
class Heading:
    """A page's title and description, not yet escaped; only the front page has no title."""

    title: str = ""
    description: str = ""


TITLES = {
    "sessions": "Sessions",
    "friction": "Friction",
    "memories": "Memories",
    "reflections": "Reflections",
    "improvements": "Improvements",
    "statistics": "In numbers",
    "tags": "Tags",
    "problems": "Files that could not be read",
}
"""Template -> the title of the one page that is made with it."""


def heading(page: Page) -> Heading:
    """Return the title and description of a page; KeyError for a template without a title."""
    match page.template:
        case "home":
            return Heading()
        case "session":
            summary = page.values["entry"].summary
            return Heading(headline(summary), headline(summary, 160))
        case "memory":
            text = page.values["memory"].text
            return Heading(headline(text, 110), headline(text, 160))
        case "project":
            return Heading(page.values["name"] or "No project")
        case "month":
            return Heading(f"Sessions of {month(page.values['first'])}")
        case "day":
            return Heading(f"Sessions of {day(page.values['first'].created_at)}")
        case "reflection":
            return Heading(f"Reflection of {day(page.values['reflection'].created_at)}")
    return Heading(TITLES[page.template])


def front_matter(page: Page) -> dict[str, Any]:
    """Return what a theme reads from the page: escaped, for themes copy it into HTML as it is.

    The site's own index of words is made from the records, so the theme is told to leave the page
    out of its own (see `search_documents`).
    """
    front: dict[str, Any] = {"generated_by": "calmkb", "hide": ["navigation", "toc"]}
    found = heading(page)
    # Without it, themes take the heading, undo its escaping and put it into <title>.
    if found.title:
        front["title"] = label(found.title, 120)
    if found.description:
        front["description"] = label(found.description, 160)
    front["search"] = {"exclude": True}
    return front
