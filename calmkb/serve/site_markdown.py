"""Staged pages as HTML: as MkDocs would make them, with one parser for all, on every core.

MkDocs makes a parser a page and looks each link up; of the pages that calmkb stages, the links are
known to be right, and there may be ten thousand.
"""

import json
import os
import pickle
import posixpath
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote
from xml.etree.ElementTree import Element

from markdown.treeprocessors import Treeprocessor

from calmkb.site.sanitise import clean_html

if TYPE_CHECKING:
    import markdown

MANY = 400
"""Fewer pages are made sooner than other processes are."""
_BATCH = 50
_FRONT = "---\n"


@dataclass(frozen=True, slots=True)
class Dialect:
    """How Markdown is to be read: the site's extensions, and the form of its addresses."""

    extensions: tuple[Any, ...]
    settings: Any
    directory_urls: bool


@dataclass(frozen=True, slots=True)
class Body:
    """A page's HTML, sieved, and its table of contents as the `toc` extension tells it, as JSON."""

    uri: str
    html: str
    toc: str


def bodies(dialect: Dialect, pages: Iterable[tuple[str, str]], count: int) -> Iterator[Body]:
    """Yield the bodies of `count` pages (address, text), in their order."""
    if count < MANY or (os.cpu_count() or 1) < 2 or not _can_travel(dialect):
        yield from (_body(_parser(dialect), uri, text) for uri, text in pages)
        return
    batches = _batches(pages)
    # Processes begun anew: a copy of one with threads may hang.
    workers = min(os.cpu_count() or 1, 8)
    with ProcessPoolExecutor(workers, get_context("spawn"), _begin, (dialect,)) as pool:
        for made in pool.map(_make, batches):
            yield from made


def body(dialect: Dialect, uri: str, text: str) -> Body:
    """Return the body of one page."""
    return _body(_parser(dialect), uri, text)


def without_front_matter(text: str) -> str:
    """Return a staged page's Markdown."""
    return text.split(_FRONT, 2)[2].lstrip("\n") if text.startswith(_FRONT) else text


def url_of(uri: str, directory_urls: bool) -> str:
    """Return where a page stands in the built site, as `sessions/2026/10/stem/`."""
    folder, name = posixpath.split(uri)
    stem = name.removesuffix(".md")
    if directory_urls:
        path = folder if stem == "index" else posixpath.join(folder, stem)
        return quote(path) + "/" if path else ""
    return quote(posixpath.join(folder, stem + ".html"))


def relative_url(target: str, here: str) -> str:
    """Return the link from one place of the built site to another."""
    base = here if here.endswith("/") else posixpath.dirname(here)
    found = posixpath.relpath("/" + target, "/" + base)
    return found + "/" if target.endswith("/") or not target else found


def _can_travel(dialect: Dialect) -> bool:
    """Extensions of a user's own may hold what cannot be sent to another process."""
    try:
        pickle.dumps(dialect)
    except Exception:  # what an object's own __reduce__ raises is its affair
        return False
    return True


def _batches(pages: Iterable[tuple[str, str]]) -> Iterator[list[tuple[str, str]]]:
    batch: list[tuple[str, str]] = []
    for page in pages:
        batch.append(page)
        if len(batch) == _BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


_chosen: list[Dialect] = []


def _begin(dialect: Dialect) -> None:
    _chosen[:] = [dialect]


def _make(batch: list[tuple[str, str]]) -> list[Body]:
    parser = _parser(_chosen[0])
    return [_body(parser, uri, text) for uri, text in batch]


def _body(parser: "_Parser", uri: str, text: str) -> Body:
    html, toc = parser.convert(uri, without_front_matter(text))
    return Body(uri, clean_html(html), json.dumps(toc, ensure_ascii=False))


class _Parser:
    """One Markdown parser, used for page after page."""

    def __init__(self, dialect: Dialect) -> None:
        import markdown

        self._markdown = markdown.Markdown(
            extensions=list(dialect.extensions), extension_configs=dialect.settings or {}
        )
        self._links = _Links(self._markdown, dialect.directory_urls)
        self._markdown.treeprocessors.register(self._links, "calmkb-links", 0)

    def convert(self, uri: str, text: str) -> tuple[str, list[Any]]:
        self._markdown.reset()
        self._links.uri = uri
        html = self._markdown.convert(text)
        return html, getattr(self._markdown, "toc_tokens", [])


class _Links(Treeprocessor):
    """Turns links between source files into links between pages."""

    def __init__(self, parser: "markdown.Markdown", directory_urls: bool) -> None:
        super().__init__(parser)
        self.uri = ""
        self._directory_urls = directory_urls

    def run(self, root: Element) -> None:
        here = url_of(self.uri, self._directory_urls)
        folder = posixpath.dirname(self.uri)
        for link in root.iter("a"):
            path, mark, fragment = link.get("href", "").partition("#")
            if path.endswith(".md") and ":" not in path:
                target = posixpath.normpath(posixpath.join(folder, unquote(path)))
                found = relative_url(url_of(target, self._directory_urls), here)
                link.set("href", found + mark + fragment)


_parsers: list[tuple[Dialect, _Parser]] = []


def _parser(dialect: Dialect) -> _Parser:
    """Return the parser made last, where it is for this dialect: making one takes a while."""
    if not _parsers or _parsers[0][0] != dialect:
        _parsers[:] = [(dialect, _Parser(dialect))]
    return _parsers[0][1]


@lru_cache(maxsize=1)
def made_by() -> str:
    """Return the versions of what makes bodies."""
    from importlib.metadata import version

    import calmkb

    tools = ("markdown", "pymdown-extensions", "nh3")
    return " ".join([calmkb.__version__, *(f"{name} {version(name)}" for name in tools)])
