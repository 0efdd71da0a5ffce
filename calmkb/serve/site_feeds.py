"""Feeds beside the pages of a site that has an address: what is new, for feed readers."""

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from calmkb.model import Entry, Memory, Reflection
from calmkb.serve.site_markdown import url_of
from calmkb.site.addresses import uris
from calmkb.site.feeds import MOST_ITEMS, feeds, items_of

_NEVER = datetime.fromtimestamp(0, UTC)
"""When the feeds of an empty journal were updated: pages name them, so they are there."""

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig

    from calmkb.model import Library


def write_feeds(config: "MkDocsConfig", library: "Library", folder: Path) -> None:
    """Write `feed.xml`, `rss.xml` and `feed.json` into `folder`, the top floor of the site.

    Without a `site_url` there is nothing that their links could begin with, so there are none. A
    file of the user's at the same place stands.
    """
    if not config.site_url:
        return
    for name, text in _feeds(config, library, str(config.site_url)).items():
        if not (Path(config.docs_dir) / name).exists():
            (folder / name).write_text(text, encoding="utf-8", newline="\n")


def _feeds(config: "MkDocsConfig", library: "Library", site: str) -> dict[str, str]:
    entries = [view.entry for view in library.sessions]
    places = uris(entries) | uris(library.memories) | uris(library.reflections)
    base = site.rstrip("/") + "/"

    def address(record: Entry | Memory | Reflection) -> str:
        return urljoin(base, url_of(places[record.id], config.use_directory_urls))

    items = items_of(
        entries[:MOST_ITEMS],
        library.memories[:MOST_ITEMS],
        library.reflections[:MOST_ITEMS],
        address,
    )
    return feeds(
        items,
        title=config.site_name,
        site_url=base,
        description=config.site_description or "",
        updated=_NEVER,
    )
