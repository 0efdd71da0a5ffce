"""What search knows of the staged pages, added to what the theme indexed of the user's own."""

import html
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from calmkb.site.pages.search_documents import SearchDocument, cut, length_for

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


def add_documents(
    index: Path, words: "Iterable[tuple[str, str, str]]", url_of: "Callable[[str], str | None]"
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
        kept = cut(SearchDocument(title, text), length)
        document: dict[str, object] = {
            "location": url,
            "title": html.escape(kept.title, quote=False),
            "text": html.escape(kept.text, quote=False),
        }
        yield document | ({"path": [], "tags": [], "level": 1} if path else {})
