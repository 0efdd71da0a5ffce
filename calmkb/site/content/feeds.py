"""An Atom 1.0 feed (RFC 4287) of the newest records."""

from collections.abc import Iterable
from datetime import datetime
from uuid import NAMESPACE_URL, UUID, uuid5
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from calmkb.model import in_utc
from calmkb.site.content.feed_items import Item, content, items_of, week_items, xml_safe

__all__ = [
    "DECISIONS",
    "FEED",
    "MOST_ITEMS",
    "WEEKS",
    "Item",
    "atom_feed",
    "items_of",
    "week_items",
]

FEED, DECISIONS, WEEKS = "feed.xml", "decisions.xml", "weeks.xml"
"""All that is new; memories and reflections alone; a summary of each week."""
MOST_ITEMS = 50
_NAMESPACE = "http://www.w3.org/2005/Atom"


def atom_feed(
    items: Iterable[Item],
    *,
    title: str,
    site_url: str,
    description: str = "",
    updated: datetime | None = None,
    file: str = FEED,
) -> str:
    """Return an Atom feed of the newest 50 items, newest first; each id once.

    Its `updated` is that of the newest item, or `updated` where there are no items. Returns "" with
    neither, or if `site_url` is not an address on the web: links in a feed are absolute.
    """
    unique = {item.id: item for item in sorted(items, key=_age)}
    newest = sorted(unique.values(), key=_age, reverse=True)[:MOST_ITEMS]
    when = newest[0].published if newest else updated
    if when is None or not site_url.startswith(("https://", "http://")):
        return ""
    site = xml_safe(site_url).rstrip("/") + "/"
    root = Element("feed", {"xmlns": _NAMESPACE})
    _add(root, "id", site if file == FEED else site + file)
    _add(root, "title", _line(title) or site)
    _add(root, "subtitle", _line(description))
    _add(root, "updated", _rfc3339(when))
    _add(SubElement(root, "author"), "name", _line(title) or site)
    SubElement(root, "link", {"rel": "self", "href": site + file})
    SubElement(root, "link", {"rel": "alternate", "type": "text/html", "href": site})
    for item in newest:
        _add_entry(root, item)
    indent(root, " ")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{tostring(root, encoding="unicode")}\n'


def _age(item: Item) -> tuple[datetime, str]:
    return item.published, item.id


def _add_entry(root: Element, item: Item) -> None:
    entry = SubElement(root, "entry")
    _add(entry, "id", _urn(item))
    _add(entry, "title", _line(item.title) or item.kind.capitalize())
    _add(entry, "published", _rfc3339(item.published))
    _add(entry, "updated", _rfc3339(item.published))
    SubElement(entry, "link", {"rel": "alternate", "href": xml_safe(item.url)})
    for tag in dict.fromkeys((item.kind, *map(_line, item.tags))):
        if tag:
            SubElement(entry, "category", {"term": tag})
    _add(entry, "summary", _line(item.summary))
    _add(entry, "content", content(item), type="html")


def _add(parent: Element, name: str, text: str, **attributes: str) -> None:
    if text:
        SubElement(parent, name, attributes).text = text


def _line(text: str) -> str:
    return " ".join(xml_safe(text).split())


def _urn(item: Item) -> str:
    """Return `urn:uuid:…`; an id that is not a UUID gets one derived from its text."""
    try:
        return UUID(item.id).urn
    except ValueError:
        return uuid5(NAMESPACE_URL, xml_safe(f"{item.kind}:{item.id}")).urn


def _rfc3339(moment: datetime) -> str:
    return in_utc(moment).isoformat(timespec="seconds").replace("+00:00", "Z")
