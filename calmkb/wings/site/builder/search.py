"""Adds the staged pages to the search index, beside what the theme indexed of the user's own.

A theme would index every heading of every page: thirty megabytes for ten thousand sessions. Here a
page is one document, what people look for comes first, and a large journal's pages are cut short.
"""

import html
import json
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import cast

from calmkb.model.words import clip
from calmkb.wings.site.content.addresses import normal
from calmkb.wings.site.pages.page import LONGEST_SEARCH_TEXT

SHORTEST = 240
LONGEST_SHOWN = 160  # characters of a hit's paragraph: about two lines
_SENTENCE = re.compile(r"(?<=[.!?;])\s+(?=[^a-z])")
_FIRST, _FIRST_BOOST = "Memory", 2.0
"""What people decided to keep comes before what it was made of."""
_UNSPACED = re.compile(
    r"[\u0e01-\u0e2e\u0e40-\u0e44\u0e81-\u0eae\u0ec0-\u0ec4\u1000-\u102a\u1780-\u17b3"
    r"\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]"
)
"""Letters that begin a syllable or a word in Thai, Lao, Burmese, Khmer, Japanese and Chinese, which
part no words by spaces; JavaScript reads the pattern too."""
BUDGET = 5_000_000  # characters of all pages together: about 1.5 MB when sent compressed


def add_documents(
    index: Path, words: Iterable[tuple[str, str, str, str]], url_of: Callable[[str], str | None]
) -> None:
    """Add pages (address, title, words, tags) to the index; those without an address are left out.

    The texts of its documents go into the result list as HTML: ours are escaped.
    """
    if not index.is_file():  # The user's site goes without search.
        return
    found = json.loads(index.read_text(encoding="utf-8"))
    if not any(one.get("tags") for one in found["docs"]):
        _level_tags(found.get("config"))
    known = [
        (url, title, text, tags)
        for uri, title, text, tags in words
        if (url := url_of(uri)) is not None
    ]
    found["docs"] += _documents(known)
    text = json.dumps(found, separators=(",", ":"), ensure_ascii=False)
    if _UNSPACED.search(text):
        _part_unspaced(found.get("config"))
        text = json.dumps(found, separators=(",", ":"), ensure_ascii=False)
    index.write_text(text, encoding="utf-8")


def _part_unspaced(config: object) -> None:
    """Let each character of a script without spaces be a word: a search finds it in a run."""
    match config:
        case {"separator": str(separator)}:
            cast("dict[str, str]", config)["separator"] = f"{separator}|(?={_UNSPACED.pattern})"


def _level_tags(config: object) -> None:
    """Let our tags weigh as words do: by default a project's name would outweigh all else."""
    match config:
        case {"fields": {"tags": {"boost": _} as tags}}:
            tags["boost"] = 1.0


def _documents(known: list[tuple[str, str, str, str]]) -> Iterator[dict[str, object]]:
    length = length_for(len(known))
    for url, title, text, tags in known:
        lines = sentences(clip(text, length).removesuffix("…"))
        beside = (_beside(title, one) for one in lines if one not in tags.split("\n"))
        document: dict[str, object] = {
            "location": url,
            "title": html.escape(title, quote=False),
            "text": "".join(map(_paragraph, dict.fromkeys(filter(None, beside)))),
            "tags": [html.escape(tag, quote=False) for tag in tags.split("\n") if tag],
        }
        if tags.split("\n")[0] == _FIRST:
            document["boost"] = _FIRST_BOOST
        yield document


def _beside(title: str, text: str) -> str:
    """Return what `text` says beyond a title: of one that was cut short, how it goes on."""
    start = title.removesuffix("…")
    if start != title and text.startswith(start):
        return f"…{text.removeprefix(start)}"
    return "" if normal(text) == normal(title) else text


def _paragraph(text: str) -> str:
    """Return a paragraph of a hit; the theme shows at most two in which the words are."""
    return f"<p>{html.escape(text, quote=False)}</p>"


def sentences(text: str) -> Iterator[str]:
    """Yield the lines of a text, those that are longer than a hit shows sentence by sentence."""
    for line in text.split("\n"):
        if len(line) > LONGEST_SHOWN:
            yield from _SENTENCE.split(line)
        else:
            yield line


def length_for(pages: int) -> int:
    """Return how many characters of each of `pages` pages are kept, so that a phone can search."""
    return max(SHORTEST, min(LONGEST_SEARCH_TEXT, BUDGET // max(1, pages)))
