"""What the MkDocs plugins take from a knowledge base."""

from pathlib import Path

from calmkb.config import load_config
from calmkb.kb.base.cache_paths import cache_path
from calmkb.wings.site.builder.cache import SitePages, open_site_pages
from calmkb.wings.site.builder.rendering.markdown import with_page_links
from calmkb.wings.site.text.sanitize import clean_html


def journal_folder(root: Path) -> Path:
    """Return the journal of the knowledge base at `root`."""
    return root / load_config(root).journal


def open_cache(root: Path, *, wait: float = 0, rebuild: bool = False) -> SitePages:
    """Open the cache of staged pages, waiting `wait` seconds for it; with `rebuild` an empty one.

    A knowledge base outside of any repository has none that lasts.
    """
    return open_site_pages(cache_path(journal_folder(root), "site"), wait=wait, rebuild=rebuild)


def finish_staged_html(html: str, uri: str, *, directory_urls: bool) -> str:
    """Return the HTML of a staged page sanitized, with links to built pages."""
    return with_page_links(clean_html(html), uri, directory_urls)
