"""What a theme puts around every page: the measure of what a page made from records may contain.

The shell is the same page without any record's text. A script, frame, form or resource that is in a
page but not in its shell came from a record, whatever it looks like.
"""

import re
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from calmkb.redact.invisible import show_invisible

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

_CODE = ("", "module", "text/javascript", "application/javascript")
_UP = re.compile(r"(?:(?<=[\"'(])|^)(?:\.\.?/)*(?:\.\.?(?=[\"'])|\.\.?$)?")
"""The path from a page to the site's root: all that differs between one shell and the next."""
_EMBEDDING = (
    "script, iframe, frame, frameset, object, embed, applet, portal, base, form, style, "
    "meta[http-equiv=refresh i]"
)
_FETCHING = ("src", "srcset", "poster", "data", "background", "action", "formaction", "xlink:href")
_FETCHERS = ", ".join(f"[{name.replace(':', chr(92) + ':')}]" for name in _FETCHING)
_FETCHED_BY_LINK = {"stylesheet", "icon", "preload", "modulepreload", "prefetch", "manifest"}
_REMOTE = re.compile(r"\s*(?:[a-z][a-z0-9+.-]*:|[/\\]{2})", re.IGNORECASE)
_EMBEDDED = re.compile(r"\s*data:image/(?:png|svg\+xml|gif|webp|jpeg)[;,]", re.IGNORECASE)
_GOOD_LINK = re.compile(r"(?:https?:|mailto:|(?![a-z][a-z0-9+.-]*:))", re.IGNORECASE)
_HANDLER = re.compile(r"\son[^\s=\"'>/]*=", re.IGNORECASE)
"""An attribute as a parsed page is written out again."""
_BLANKS = re.compile(r"[\s\x00-\x20]+")


@dataclass(frozen=True, slots=True)
class Fault:
    """Something in a page that could run, load or mislead, and is not the theme's."""

    kind: str
    text: str

    def __str__(self) -> str:
        return f"{self.kind}: {' '.join(self.text.split())[:160]}"

    @property
    def anywhere(self) -> "Fault":
        """The fault as any page of a site would have it, wherever the page is."""
        return Fault(self.kind, _normal(self.text))


@dataclass(frozen=True)
class Shell:
    """The page `html`, which no record wrote any part of."""

    html: str

    @cached_property
    def _tree(self) -> "LexborHTMLParser":
        return parsed(self.html)

    @cached_property
    def embedded(self) -> frozenset[str]:
        """The scripts, styles, frames and forms of the theme, any path to the root left out."""
        return frozenset(_normal(node.html) for node in self._tree.css(_EMBEDDING))

    @cached_property
    def fetched(self) -> frozenset[str]:
        """The addresses that the theme loads from."""
        return frozenset(_normal(address) for _, address in _addresses(self._tree))

    @cached_property
    def handlers(self) -> frozenset[str]:
        """The event handlers that the theme itself has."""
        return frozenset(text for _, text in _handlers(self._tree))

    @cached_property
    def hosts(self) -> tuple[str, ...]:
        """The other hosts that this site's own settings load from, as `https://example.org`."""
        found = {urlsplit(address) for _, address in _addresses(self._tree)}
        return tuple(
            sorted({f"{one.scheme or 'https'}://{one.netloc}" for one in found if one.netloc})
        )

    def faults(self, page: "LexborHTMLParser") -> list[Fault]:
        """Return what is in `page` and is not the theme's."""
        found = [
            Fault(f"a <{node.tag}> of its own", node.html or "")
            for node in page.css(_EMBEDDING)
            if _normal(node.html) not in self.embedded
        ]
        found += [
            Fault(f"it loads {name}", address)
            for name, address in _addresses(page)
            if _REMOTE.match(address)
            and not _EMBEDDED.match(address)
            and _normal(address) not in self.fetched
        ]
        found += [Fault(n, text) for n, text in _handlers(page) if text not in self.handlers]
        found += list(_misleading(page))
        return found

    def policy(self, page: "LexborHTMLParser") -> str:
        """Return the Content-Security-Policy under which `page` works and nothing else does.

        Inline scripts of the theme are named by their SHA-256, so that no other one runs.
        """
        hashes = [
            f"'sha256-{b64encode(sha256(node.text(deep=True).encode()).digest()).decode()}'"
            for node in page.css("script:not([src])")
            if _normal(node.html) in self.embedded
            and (node.attributes.get("type") or "").lower() in _CODE
        ]
        more = "".join(f" {host}" for host in self.hosts)
        scripts = "".join(f" {one}" for one in dict.fromkeys(hashes))
        return "; ".join(
            (
                "default-src 'none'",
                f"script-src 'self'{scripts}{more}",
                "worker-src 'self' blob:",
                f"style-src 'self' 'unsafe-inline'{more}",
                f"img-src 'self' data:{more}",
                f"font-src 'self' data:{more}",
                f"connect-src 'self'{more}",
                "manifest-src 'self'",
                "form-action 'self'",
                "base-uri 'none'",
            )
        )


def parsed(html: str) -> "LexborHTMLParser":
    """Return a page as a browser would read it."""
    from selectolax.lexbor import LexborHTMLParser

    return LexborHTMLParser(html)


def with_policy(html: str, policy: str) -> str:
    """Return the page with `policy` before anything it governs."""
    meta = f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    return html.replace("<head>", f"<head>\n      {meta}", 1)


def _addresses(tree: "LexborHTMLParser") -> Iterator[tuple[str, str]]:
    for node in tree.css(_FETCHERS):
        found = node.attributes
        yield from ((f"<{node.tag} {n}>", found[n] or "") for n in _FETCHING if n in found)
    for node in tree.css("link[href]"):
        kinds = set((node.attributes.get("rel") or "").lower().split())
        if kinds & _FETCHED_BY_LINK:
            yield "<link>", node.attributes.get("href") or ""
    for node in tree.css("image[href], use[href]"):
        yield f"<{node.tag}>", node.attributes.get("href") or ""


def _handlers(tree: "LexborHTMLParser") -> Iterator[tuple[str, str]]:
    if not _HANDLER.search(tree.html or ""):  # looking at every element takes half the time
        return
    for node in tree.css("*"):
        for name, value in node.attributes.items():
            if name.startswith("on"):
                yield f"<{node.tag} {name}>", f"{name}={value}"


def _misleading(page: "LexborHTMLParser") -> Iterator[Fault]:
    """Links of other kinds than the web's, inline style, and characters nobody sees."""
    for node in page.css("a[href], area[href]"):
        address = _BLANKS.sub("", node.attributes.get("href") or "")
        if not _GOOD_LINK.match(address):
            yield Fault("a link that is not an address", address)
    for node in page.css("article [style]"):
        yield Fault("a style of its own", node.attributes.get("style") or "")
    text = "".join(node.text(deep=True) for node in page.css("article, title"))
    if show_invisible(text) != text:
        yield Fault("characters that cannot be seen", show_invisible(text)[:200])


@lru_cache(maxsize=1024)  # The theme's own are on every page.
def _normal(text: str | None) -> str:
    return _UP.sub("", text or "")
