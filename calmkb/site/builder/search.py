"""Adds the staged pages to the search index, beside what the theme indexed of the user's own.

A theme would index every heading of every page: thirty megabytes for ten thousand sessions. Here a
page is one document, what people look for comes first, and a large journal's pages are cut short.
"""

import html
import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from calmkb.site.pages.page import LONGEST_SEARCH_TEXT

SHORTEST = 240
BUDGET = 5_000_000
"""Characters of all pages together: about 1.5 MB when sent compressed."""


def add_documents(
    index: Path, words: Iterable[tuple[str, str, str]], url_of: Callable[[str], str | None]
) -> None:
    """Add pages (address, title, words) to the index; those without an address are left out.

    Both Material's `search/search_index.json` and Zensical's `search.json` hold a list of
    documents, whose texts go into the result list as HTML: ours are escaped.
    """
    if not index.is_file():  # The user's site goes without search.
        return
    found = json.loads(index.read_text(encoding="utf-8"))
    name = "docs" if "docs" in found else "items"
    known = [(url, title, text) for uri, title, text in words if (url := url_of(uri)) is not None]
    found[name] += _documents(known, path=name == "items")
    text = json.dumps(found, separators=(",", ":"), ensure_ascii=False)
    index.write_text(text, encoding="utf-8")


def _documents(known: list[tuple[str, str, str]], *, path: bool) -> Iterator[dict[str, object]]:
    length = length_for(len(known))
    for url, title, text in known:
        document: dict[str, object] = {
            "location": url,
            "title": html.escape(title, quote=False),
            "text": html.escape(cut(text, length), quote=False),
        }
        yield document | ({"path": [], "tags": [], "level": 1} if path else {})


def length_for(pages: int) -> int:
    """Return how many characters of each of `pages` pages are kept, so that a phone can search."""
    return max(SHORTEST, min(LONGEST_SEARCH_TEXT, BUDGET // max(1, pages)))


def cut(text: str, length: int) -> str:
    """Return at most `length` characters of the text, cut between words."""
    if len(text) <= length:
        return text
    shorter = text[:length]
    return shorter.rsplit(None, 1)[0] if " " in shorter else shorter
