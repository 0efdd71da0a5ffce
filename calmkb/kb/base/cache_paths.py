"""Where the caches of a journal are: beside its index, in the git directory."""

from pathlib import Path

from calmkb.store.index.schema import index_path


def cache_path(journal: Path, name: str, suffix: str = ".sqlite") -> Path | None:
    """Return the path of a journal's cache, or None outside of any repository.

    Each journal has its own, so that a repository may hold several knowledge bases.
    """
    index = index_path(journal)
    if index is None:
        return None
    path = Path(index)
    return path.with_name(path.name.replace("index-", f"{name}-", 1)).with_suffix(suffix)


def vectors_path(journal: Path) -> str | None:
    """Return the path of the cache of vectors, which all journals of a repository share."""
    index = index_path(journal)
    return str(Path(index).with_name("vectors.sqlite")) if index else None
