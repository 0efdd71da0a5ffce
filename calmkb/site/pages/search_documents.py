"""What the site's search knows of each page: made from records, so it can be kept small.

A theme would index every heading of every page: thirty megabytes for ten thousand sessions. Here a
page is one document, what people look for stands first, and a large journal's pages are cut short.
"""

from dataclasses import dataclass

from calmkb.redact.invisible import show_invisible
from calmkb.site.pages.headings import heading
from calmkb.site.pages.page import Page

LONGEST = 6_000
"""Characters of a page that are kept for search at most."""
SHORTEST = 240
BUDGET = 5_000_000
"""Characters of all pages together: about 1.5 MB when sent compressed."""


@dataclass(frozen=True, slots=True)
class SearchDocument:
    """What search knows of a page: plain text, not escaped."""

    title: str
    text: str


def search_document(page: Page) -> SearchDocument | None:
    """Return what search should know of `page`, or None for one that only lists others."""
    parts = _parts(page)
    if not parts:
        return None
    text = "\n".join(" ".join(show_invisible(part).split()) for part in parts if part.strip())
    return SearchDocument(show_invisible(heading(page).title), text[:LONGEST])


def _parts(page: Page) -> list[str]:
    """Return a page's texts, the ones that people look for first."""
    values = page.values
    match page.template:
        case "session":
            entry = values["entry"]
            rest = [section.text for section in entry.sections]
            words = [entry.project_name, entry.agent]
            return [*entry.friction_points, entry.summary, *entry.next_steps, *words, *rest]
        case "memory":
            memory = values["memory"]
            rest = [section.text for section in memory.sections]
            quotes = [evidence.quote for evidence in memory.evidence]
            return [memory.text, memory.why, *memory.tags, *quotes, *rest]
        case "theme":
            quotes = [evidence.quote for evidence in values["quotes"]]
            projects = [name for name, _ in values["projects"]]
            return [values["theme"].statement, *projects, *quotes]
        case "reflection":
            reflection = values["reflection"]
            return [f"{one.text} {one.reason}" for one in reflection.rejected]
    return []


def length_for(pages: int) -> int:
    """Return how many characters of each of `pages` pages are kept, so that a phone can search."""
    return max(SHORTEST, min(LONGEST, BUDGET // max(1, pages)))


def cut(document: SearchDocument, length: int) -> SearchDocument:
    """Return the document with at most `length` characters of text, cut between words."""
    if len(document.text) <= length:
        return document
    shorter = document.text[:length]
    return SearchDocument(document.title, shorter.rsplit(None, 1)[0] if " " in shorter else shorter)
