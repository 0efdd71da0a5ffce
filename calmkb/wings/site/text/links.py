"""Links between the pages of a built site: what leads to no file, or to no such place on a page.

Only relative links work wherever a site is served: below a sub-path, or as a folder on a disk.
"""

import posixpath
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

_ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:|//", re.IGNORECASE)
_LINKING = ("href", "src", "poster", "data", "xlink:href")
_SELECTOR = ", ".join(f"[{name.replace(':', chr(92) + ':')}]" for name in (*_LINKING, "srcset"))


@dataclass(frozen=True, slots=True)
class Linked:
    """The addresses that a page names, in their order, and the places on it that have an id."""

    links: tuple[str, ...]
    ids: frozenset[str]


@dataclass(frozen=True, slots=True)
class BrokenLink:
    """A `link` on the page at `page` that leads nowhere, and why."""

    page: str
    link: str
    why: str


def linked(page: "LexborHTMLParser") -> Linked:
    """Return what a page links to, scripts and pictures included, and what can be linked to."""
    links: dict[str, None] = {}
    for node in page.css(_SELECTOR):
        found = node.attributes
        links.update((address, None) for name in _LINKING if (address := found.get(name)))
        links.update((part.split()[0], None) for part in _candidates(found.get("srcset")))
    named = (node.attributes for node in page.css("[id], a[name]"))
    ids = {found.get("id") or found.get("name") for found in named}
    return Linked(tuple(links), frozenset(name for name in ids if name))


def broken_links(
    pages: Mapping[str, Linked], files: Collection[str], *, root: str = "/"
) -> Iterator[BrokenLink]:
    """Yield what is broken on `pages` (path of the file -> what it links to), in their order.

    `files` are the paths of all files of the site, pages included, as `sessions/index.html`; `root`
    is where the site will be on its host: links may begin with it, as they do on the page for
    wrong addresses. What leads to another host is not looked at.
    """
    known = frozenset(files)
    resolve = cache(_resolve)
    for path, page in pages.items():
        folder = posixpath.dirname(path)
        for link in page.links:
            if _ELSEWHERE.match(link):
                continue
            address, _, place = link.partition("#")
            address = address.partition("?")[0]
            target = resolve(address, folder, root) if address else path
            if target not in known and (index := f"{target}/index.html".lstrip("/")) in known:
                target = index
            if why := _fault(target, place, pages, known):
                yield BrokenLink(path, link, why)


def root_of(page: "LexborHTMLParser") -> str:
    """Return where a site is on its host, from its front page: `/`, or `/team/kb/`."""
    canonical = page.css_first("link[rel=canonical][href]")
    path = urlsplit(canonical.attributes.get("href") or "").path if canonical else ""
    return f"{path.rstrip('/')}/"


def _resolve(address: str, folder: str, root: str) -> str:
    """Return the path of a file of the site, or one that begins with `..` outside of it."""
    address = unquote(address)
    if address.startswith("/"):
        inside = f"{address}/".startswith(root)
        found = address[len(root) :] if inside else f"..{address}"
    else:
        found = posixpath.join(folder, address)
    path = posixpath.normpath(found) if found else "."
    return "" if path == "." else path


def _fault(target: str, place: str, pages: Mapping[str, Linked], known: frozenset[str]) -> str:
    if target.startswith(".."):
        return "it leads out of the site (if it should, name the host too)"
    if target not in known:
        return f"there is no {target or 'index.html'}"
    if not place or place == "top" or target not in pages or place.startswith(":~:"):
        return ""
    ids = pages[target].ids
    return "" if place in ids or unquote(place) in ids else f"nothing on {target} has this id"


def _candidates(srcset: str | None) -> Iterator[str]:
    """Return the pictures of a `srcset`; one that lies in the page itself has commas of its own."""
    if not srcset or "data:" in srcset:
        return iter(())
    return (part for part in srcset.split(",") if part.strip())
