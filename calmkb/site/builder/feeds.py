"""The Atom feeds of a site that has an address."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from calmkb.model import Entry, Memory, Reflection
from calmkb.site.builder.rendering.markdown import url_of
from calmkb.site.content.addresses import project_feed, uris, week_uri
from calmkb.site.content.catalogue import Catalogue, grouped
from calmkb.site.content.feeds import (
    DECISIONS,
    FEED,
    MOST_ITEMS,
    WEEKS,
    Item,
    atom_feed,
    items_of,
    week_items,
)
from calmkb.site.content.friction import Friction
from calmkb.site.content.weeks import weeks

_NEVER = datetime.fromtimestamp(0, UTC)
"""The `updated` of an empty journal's feed, which exists because every page links to it."""
PROJECT_ITEMS = 20
"""Sessions, and memories, in the feed of one project: there may be many projects."""

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig

    from calmkb.model import Library


def write_feed(config: "MkDocsConfig", library: "Library", folder: Path) -> None:
    """Write the feeds into `folder`, the top of the site; a file of the user's own there is kept.

    Without a `site_url` there are none: their links must be absolute.
    """
    if not config.site_url:
        return
    for name, (about, items) in _feeds(config, library).items():
        if (Path(config.docs_dir) / name).exists():
            continue
        text = atom_feed(
            items,
            title=f"{config.site_name}{about}",
            site_url=_base(config),
            description=config.site_description or "",
            updated=_NEVER,
            file=name,
        )
        if text:
            (folder / name).write_text(text, encoding="utf-8", newline="\n")


def _feeds(config: "MkDocsConfig", library: "Library") -> dict[str, tuple[str, list[Item]]]:
    """Return by file name what each feed is about and its items."""
    entries = [view.entry for view in library.sessions]
    places = uris(entries) | uris(library.memories) | uris(library.reflections)

    def absolute(uri: str) -> str:
        return urljoin(_base(config), url_of(uri, config.use_directory_urls))

    def address(record: Entry | Memory | Reflection) -> str:
        return absolute(places[record.id])

    kept = library.memories[:MOST_ITEMS], library.reflections[:MOST_ITEMS]
    catalogue = Catalogue(library)
    found = weeks(catalogue, Friction(catalogue))[: MOST_ITEMS + 1]
    over = week_items(
        found, lambda name: absolute(week_uri(name)), catalogue.today or _NEVER.date()
    )
    return {
        FEED: ("", items_of(entries[:MOST_ITEMS], *kept, address)),
        DECISIONS: (": what was decided", items_of((), *kept, address)),
        WEEKS: (": week by week", over),
        **_project_feeds(catalogue, address),
    }


def _project_feeds(
    catalogue: Catalogue, address: Callable[[Entry | Memory | Reflection], str]
) -> dict[str, tuple[str, list[Item]]]:
    """Return a feed a project, of its newest sessions and memories; none where there is but one."""
    if len(catalogue.projects) < 2:
        return {}
    memories = grouped(catalogue.memories, lambda memory: memory.scope)
    found = {}
    for name, views in catalogue.projects.items():
        entries = [view.entry for view in views[:PROJECT_ITEMS]]
        items = items_of(entries, memories.get(name, [])[:PROJECT_ITEMS], (), address)
        found[project_feed(name)] = (f": {name or 'no project'}", items)
    return found


def _base(config: "MkDocsConfig") -> str:
    return str(config.site_url).rstrip("/") + "/"
