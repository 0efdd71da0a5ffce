"""Where the site's cache lies: beside the index, in the git directory."""

from pathlib import Path

from calmkb.config import load_config
from calmkb.site.builder.cache import SitePages, open_site_pages
from calmkb.store.index.schema import index_path


def site_cache_path(root: Path) -> Path | None:
    """Return where the site of the knowledge base at `root` keeps what it staged; None for nowhere.

    Each journal has its own, so that a repository may hold several knowledge bases.
    """
    found = index_path(root / load_config(root).journal)
    if found is None:
        return None
    path = Path(found)
    return path.with_name(path.name.replace("index-", "site-", 1))


def open_cache(root: Path, *, wait: float = 0, rebuild: bool = False) -> SitePages:
    """Open the cache of the knowledge base at `root`, waiting `wait` seconds for it, or `anew`."""
    return open_site_pages(site_cache_path(root), wait=wait, rebuild=rebuild)
