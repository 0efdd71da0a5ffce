"""What a page is before it is rendered."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar
from urllib.parse import quote

from calmkb.redact.invisible import show_invisible
from calmkb.wings.site.text.inline import plain
from calmkb.wings.site.text.sanitize import headline, label

Item = TypeVar("Item")
SAME_FRONT_MATTER: dict[str, Any] = {
    "generated_by": "calmkb",
    "hide": ["navigation", "toc"],
    "search": {"exclude": True},
}
"""The front matter of every page. The site's own index of words is made from the records, so the
theme is told to leave the page out of its own (see `Page.search_text`)."""
_TITLE = 110
LONGEST_SEARCH_TEXT = 6_000  # characters of a page that are kept for search at most


@dataclass(frozen=True, slots=True)
class Page:
    """One page to be: its address, its template and what it shows.

    A page that `shows_all` may show anything of the catalogue, so it is rendered each time; any
    other shows its `values` alone, and is rendered again only when these have changed.
    A page is named by `title`, or by the first sentence of `statement`, the text of its record.
    `nav` is its label in the navigation, if it is there. `search` are the texts that the site's
    search finds it by, the most important first; a page that only lists others has none. `tags` are
    its kind and its projects, which a search can be narrowed to. `about` describes a record's page
    where its link is pasted; other pages have a sentence by template. `file` is the record's,
    from the top of the repository.
    """

    uri: str
    template: str
    values: dict[str, Any] = field(default_factory=dict)
    shows_all: bool = False
    title: str = ""
    statement: str = ""
    nav: str = ""
    search: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    about: str = ""
    file: str = ""

    @property
    def heading(self) -> str:
        """The title in plain words, not yet escaped; only the front page has none."""
        return self.title or headline(self.statement, _TITLE)

    @property
    def front_matter(self) -> dict[str, str]:
        """What a theme reads from the page beside `SAME_FRONT_MATTER`.

        It is escaped, for themes copy it into HTML as it is. Without a title, they take the
        heading, undo its escaping and put it into <title>.
        """
        known = DESCRIPTIONS.get(self.template) or headline(self.statement, 160)
        description = plain(self.about or known)
        front = {"title": label(self.heading, 120), "description": label(description, 160)}
        front |= {"record_file": quote(self.file, errors="replace")}
        return {name: value for name, value in front.items() if value}

    @property
    def search_text(self) -> str:
        """The texts for search, invisible characters shown; not escaped.

        Without code ticks: the search would take "`npm" for another word than "npm".
        """
        plain = (show_invisible(text).replace("`", "") for text in self.search)
        lines = (" ".join(text.split()) for text in plain if text.strip())
        return "\n".join(lines)[:LONGEST_SEARCH_TEXT]


@dataclass(frozen=True, slots=True)
class Leaf:
    """One of several pages of a long list: its number, from 1, of how many; earlier, later."""

    number: int
    pages: int
    earlier: str = ""
    later: str = ""


def leaves(
    uri: str, items: Sequence[Item], size: int
) -> Iterator[tuple[str, Leaf, Sequence[Item]]]:
    """Yield address, place and items of each page of a list, at least one page.

    The first is at `uri`, an `index.md`; the others beside it, as `2.md`.
    """
    pages = max(1, -(-len(items) // size))
    uris = [uri, *(f"{uri.removesuffix('index.md')}{n}.md" for n in range(2, pages + 1)), ""]
    for place in range(pages):
        leaf = Leaf(place + 1, pages, uris[place - 1] if place else "", uris[place + 1])
        yield uris[place], leaf, items[place * size : (place + 1) * size]


DESCRIPTIONS: Mapping[str, str] = {
    "category": "Memories of one kind, newest first, each with its evidence.",
    "day": "The sessions of a day: what was done, and what slowed it down.",
    "doubts": "Memories that are stale, broken or in conflict, each with the reason.",
    "file": "The sessions that changed a file, newest first.",
    "files": "Files that several sessions changed, those of most sessions first.",
    "friction": "What slows sessions down, by state: new, open, came back, answered.",
    "home": "What waits for a person, what changed in a week, and the friction to look at.",
    "improvements": "Changes to the project that people agreed on: pending, made, declined.",
    "memories": "What people decided to keep of their sessions, with the evidence.",
    "month": "The sessions of a month: what was done, and what slowed it down.",
    "next": "What sessions left to do, the oldest first, with project and age.",
    "problems": "Files of the journal that could not be read, each with what fixes it.",
    "project": "One project: its sessions, its memories and its friction.",
    "projects": "The projects that the journal has sessions of.",
    "proof": "Which sessions met the trouble of a memory, and whether what it cites still holds.",
    "reflections": "The reviews in which people decided what to keep.",
    "scopes": "Memories by what they hold for: everywhere, or one project.",
    "sessions": "Every session: what was done, what slowed it down, what it left to do.",
    "statistics": "The journal in numbers.",
    "tags": "Memories by tag.",
    "told": "What coding agents read before they begin, word for word, with its cost.",
    "waiting": "Sessions that no reflection has covered yet.",
    "week": "A week: what happened, what was decided, what came back, what is open.",
    "weeks": "The journal week by week.",
}
"""Template -> a sentence; a page of one record says what the record does (`Page.about`)."""
