"""Staged pages as HTML: as MkDocs would make them, with one parser for all.

MkDocs makes a parser a page and looks each link up; of the pages that calmkb stages, the links are
known to be right, and there may be ten thousand.
"""

import os
import pickle
import posixpath
import re
import sys
from collections.abc import Generator
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from subprocess import DEVNULL, PIPE, Popen
from typing import IO, Any, cast
from urllib.parse import quote, unquote

from calmkb.wings.site.builder.cache import read_site_pages
from calmkb.wings.site.content.addresses import relative
from calmkb.wings.site.text.sanitize import clean_html

MANY = 300  # fewer pages are made sooner than a process starts
_FRONT = "---\n"
_HEADING = re.compile(r"<h[1-3]\b.*?</h[1-3]>", re.DOTALL)
_LONG = re.compile(r"<[^>]*>|[^\s<>]{16,}")
_SOURCE_LINK = re.compile(r'\bhref="([^":#?]+\.md)(#[^"]*)?"')


@dataclass(frozen=True, slots=True)
class Dialect:
    """How Markdown is to be read: the site's extensions, and the form of its addresses."""

    extensions: tuple[Any, ...]
    settings: Any
    directory_urls: bool


def body(dialect: Dialect, uri: str, text: str) -> str:
    """Return the HTML of a staged page, sanitized, its links made ready for the built site."""
    html = sanitized(_parser(dialect).convert(without_front_matter(text)))
    return with_page_links(html, uri, dialect.directory_urls)


def sanitized(html: str) -> str:
    """Return the HTML sanitized, a path in a heading with places where a phone may break it."""
    return _HEADING.sub(lambda heading: _LONG.sub(_breakable, heading[0]), clean_html(html))


def _breakable(found: re.Match[str]) -> str:
    word = found[0]
    return word if word[0] == "<" else re.sub(r"(?<=\w)[/_.](?=\w)", r"\g<0><wbr>", word)


def without_front_matter(text: str) -> str:
    """Return a staged page's Markdown."""
    return text.split(_FRONT, 2)[2].lstrip("\n") if text.startswith(_FRONT) else text


def url_of(uri: str, directory_urls: bool) -> str:
    """Return the address of a page in the built site, as `sessions/2026/10/stem/`."""
    folder, name = posixpath.split(uri)
    stem = name.removesuffix(".md")
    if directory_urls:
        path = folder if stem == "index" else posixpath.join(folder, stem)
        return quote(path) + "/" if path else ""
    return quote(posixpath.join(folder, stem + ".html"))


def with_page_links(html: str, uri: str, directory_urls: bool) -> str:
    """Return the HTML with its links between source files made links between built pages.

    Those in raw HTML too, as in pictures; a text of a record cannot hold such a link.
    """
    here, folder = url_of(uri, directory_urls), posixpath.dirname(uri)

    def found(match: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(folder, unquote(match[1])))
        return f'href="{relative(url_of(target, directory_urls), here)}{match[2] or ""}"'

    return _SOURCE_LINK.sub(found, html)


_parsers: list[tuple[Dialect, Any]] = []


def _parser(dialect: Dialect) -> Any:
    """Return the parser made last, where it is for this dialect: making one takes a while."""
    import markdown

    if not _parsers or _parsers[0][0] != dialect:
        extensions = list(dialect.extensions)
        made = markdown.Markdown(extensions=extensions, extension_configs=dialect.settings or {})
        _parsers[:] = [(dialect, made)]
    return _parsers[0][1].reset()


def pages_ahead(
    dialect: Dialect, cache: Path | None, uris: list[str]
) -> Generator[tuple[str, str]]:
    """Yield address and HTML of pages, in order, from a process that makes them meanwhile.

    The first is none, and the process has begun; it ends early where that process cannot do what
    we can, as load an extension of the user's. Of few pages none is made.
    """
    if cache is None or len(uris) < MANY:
        return
    # -P: no module of the working folder. A session of its own: ^C is for us to tell.
    command = [sys.executable, "-P", "-c", f"import {__name__} as made; made.main()"]
    with (
        suppress(OSError, EOFError, pickle.UnpicklingError),
        Popen(command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, start_new_session=True) as other,
    ):
        task, made = cast("IO[bytes]", other.stdin), cast("IO[bytes]", other.stdout)
        with suppress(Exception), task:  # an extension's own __reduce__ may raise anything
            pickle.dump((dialect, cache, uris), task)
        yield "", ""
        while True:
            yield pickle.load(made)  # noqa: S301 - from a process that we started


def main() -> None:
    """Make the pages that the process which started us asks for; when it is gone, so are we."""
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what an extension prints is no page
    dialect, cache, uris = pickle.load(sys.stdin.buffer)  # noqa: S301 - from who started us
    with suppress(Exception), closing(read_site_pages(cache)) as pages:
        for uri in uris:  # a page that cannot be made the other process makes, and tells why
            pickle.dump((uri, body(dialect, uri, pages.text(uri))), out)
            out.flush()
