"""Where the caches of a journal are: beside its index, in the git directory."""

from pathlib import Path
from typing import TYPE_CHECKING

from calmkb.store.caches.derived import DerivedCache
from calmkb.store.index.schema import index_path

if TYPE_CHECKING:
    from calmkb.kb.base.knowledge_base import KnowledgeBase


def cache_path(journal: Path, name: str) -> Path | None:
    """Return the path of a journal's cache, or None outside of any repository.

    Each journal has its own, so that a repository may hold several knowledge bases.
    """
    index = index_path(journal)
    return Path(f"{name}-".join(index.rsplit("index-", 1))) if index else None


def vectors_path(journal: Path) -> str | None:
    """Return the path of the cache of vectors, which all journals of a repository share."""
    index = index_path(journal)
    return str(Path(index).with_name("vectors.sqlite")) if index else None


def derived_cache(kb: "KnowledgeBase") -> DerivedCache:
    """Return what was made of the records of `kb` before; to be used in a `with` block."""
    return DerivedCache(cache_path(kb.journal, "derived"), kb.environment.now())
