"""What is new, for feed readers: Atom 1.0 (RFC 4287), RSS 2.0 and JSON Feed 1.1.

Plain text is plain in Atom and JSON Feed. In RSS, readers take titles and descriptions for HTML:
there, and there alone, it is escaped twice, so that `<b>` stays three characters everywhere.
"""

import html
import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from email.utils import format_datetime
from uuid import NAMESPACE_URL, UUID, uuid5
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from calmkb.model import in_utc
from calmkb.site.feed_items import Item, content, items_of, speakable

__all__ = ["MOST_ITEMS", "Item", "feeds", "items_of"]

ATOM, RSS, JSON = "feed.xml", "rss.xml", "feed.json"
MOST_ITEMS = 50
_ATOM_SPACE = "http://www.w3.org/2005/Atom"
_CONTENT_SPACE = "http://purl.org/rss/1.0/modules/content/"


@dataclass(frozen=True, slots=True)
class _Feed:
    """A feed with its newest items first; `site` ends in a slash."""

    title: str
    site: str
    description: str
    updated: datetime
    items: tuple[tuple[Item, str], ...]
    """Each with its words as HTML."""


def feeds(
    items: Iterable[Item],
    *,
    title: str,
    site_url: str,
    description: str = "",
    updated: datetime | None = None,
) -> dict[str, str]:
    """Return `feed.xml`, `rss.xml` and `feed.json` of the newest 50 items; each id once.

    They were updated when the newest item was; `updated` stands for it where there are no items.
    Nothing is returned without any of the two, or if `site_url` is not an address on the web: links
    in a feed are absolute.
    """
    unique = {item.id: item for item in sorted(items, key=_age)}
    newest = sorted(unique.values(), key=_age, reverse=True)[:MOST_ITEMS]
    when = newest[0].published if newest else updated
    if when is None or not site_url.startswith(("https://", "http://")):
        return {}
    told = tuple((item, content(item)) for item in newest)
    site = speakable(site_url).rstrip("/") + "/"
    feed = _Feed(_line(title) or site, site, _line(description), when, told)
    return {ATOM: _atom(feed), RSS: _rss(feed), JSON: _json(feed)}


def _age(item: Item) -> tuple[datetime, str]:
    return item.published, item.id


def _atom(feed: _Feed) -> str:
    root = Element("feed", {"xmlns": _ATOM_SPACE})
    _add(root, "id", feed.site)
    _add(root, "title", feed.title)
    _add(root, "subtitle", feed.description)
    _add(root, "updated", _rfc3339(feed.updated))
    _add(SubElement(root, "author"), "name", feed.title)
    SubElement(root, "link", {"rel": "self", "href": feed.site + ATOM})
    SubElement(root, "link", {"rel": "alternate", "type": "text/html", "href": feed.site})
    for item, words in feed.items:
        entry = SubElement(root, "entry")
        _add(entry, "id", _urn(item))
        _add(entry, "title", _title(item))
        _add(entry, "published", _rfc3339(item.published))
        _add(entry, "updated", _rfc3339(item.published))
        SubElement(entry, "link", {"rel": "alternate", "href": speakable(item.url)})
        for tag in _tags(item):
            SubElement(entry, "category", {"term": tag})
        _add(entry, "summary", _line(item.summary))
        _add(entry, "content", words, type="html")
    return _written(root)


def _rss(feed: _Feed) -> str:
    spaces = {"xmlns:atom": _ATOM_SPACE, "xmlns:content": _CONTENT_SPACE}
    root = Element("rss", {"version": "2.0", **spaces})
    channel = SubElement(root, "channel")
    _add(channel, "title", html.escape(feed.title, quote=False))
    _add(channel, "link", feed.site)
    _add(channel, "description", html.escape(feed.description, quote=False), needed=True)
    _add(channel, "lastBuildDate", format_datetime(in_utc(feed.updated), usegmt=True))
    itself = {"rel": "self", "type": "application/rss+xml", "href": feed.site + RSS}
    SubElement(channel, "atom:link", itself)
    for item, words in feed.items:
        entry = SubElement(channel, "item")
        _add(entry, "title", html.escape(_title(item), quote=False))
        _add(entry, "link", speakable(item.url))
        _add(entry, "guid", _urn(item), isPermaLink="false")
        _add(entry, "pubDate", format_datetime(in_utc(item.published), usegmt=True))
        for tag in _tags(item):
            _add(entry, "category", tag)
        _add(entry, "description", html.escape(_line(item.summary), quote=False))
        _add(entry, "content:encoded", words)
    return _written(root)


def _json(feed: _Feed) -> str:
    told = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": feed.title,
        "home_page_url": feed.site,
        "feed_url": feed.site + JSON,
        "description": feed.description,
        "items": [
            {
                "id": _urn(item),
                "url": speakable(item.url),
                "title": _title(item),
                "summary": _line(item.summary),
                "content_html": words,
                "date_published": _rfc3339(item.published),
                "tags": _tags(item),
            }
            for item, words in feed.items
        ],
    }
    # A browser that takes the file for a page must find no tag in it.
    return json.dumps(told, ensure_ascii=False, indent=1).replace("<", "\\u003c") + "\n"


def _add(parent: Element, name: str, text: str, *, needed: bool = False, **more: str) -> None:
    if text or needed:
        SubElement(parent, name, more).text = text


def _written(root: Element) -> str:
    indent(root, " ")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{tostring(root, encoding="unicode")}\n'


def _line(text: str) -> str:
    return " ".join(speakable(text).split())


def _title(item: Item) -> str:
    return _line(item.title) or item.kind.capitalize()


def _tags(item: Item) -> list[str]:
    told = (item.kind, *(_line(tag) for tag in item.tags))
    return [tag for tag in dict.fromkeys(told) if tag]


def _urn(item: Item) -> str:
    """Return `urn:uuid:…`; an id that a person wrote by hand gets one made from its words."""
    try:
        return UUID(item.id).urn
    except ValueError:
        return uuid5(NAMESPACE_URL, speakable(f"{item.kind}:{item.id}")).urn


def _rfc3339(moment: datetime) -> str:
    return in_utc(moment).isoformat(timespec="seconds").replace("+00:00", "Z")
