"""The Atom feed of a site that has an address."""

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from calmkb.model import Entry, Memory, Reflection
from calmkb.site.builder.rendering.markdown import url_of
from calmkb.site.content.addresses import uris
from calmkb.site.content.feeds import FEED, MOST_ITEMS, atom_feed, items_of

_NEVER = datetime.fromtimestamp(0, UTC)
"""The `updated` of an empty journal's feed, which exists because every page links to it."""

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig

    from calmkb.model import Library


def write_feed(config: "MkDocsConfig", library: "Library", folder: Path) -> None:
    """Write `feed.xml` into `folder`, the top of the site; the user's own file there is kept.

    Without a `site_url` there is no feed: its links must be absolute.
    """
    if not config.site_url or (Path(config.docs_dir) / FEED).exists():
        return
    if text := _feed(config, library, str(config.site_url)):
        (folder / FEED).write_text(text, encoding="utf-8", newline="\n")


def _feed(config: "MkDocsConfig", library: "Library", site: str) -> str:
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
    return atom_feed(
        items,
        title=config.site_name,
        site_url=base,
        description=config.site_description or "",
        updated=_NEVER,
    )
