"""The cache of staged pages, in the git directory.

Without it a site comes out the same.
"""

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from filelock import BaseFileLock, FileLock

from calmkb.errors import StoreError
from calmkb.system.cache_file import open_cache, remove_cache

if TYPE_CHECKING:
    from calmkb.model import Library
    from calmkb.wings.site.staging.stage import Staging

WAIT_SECONDS = 900  # how long a build waits for another one of the same site
VERSION = 5
_TABLES = """
CREATE TABLE pages (
    uri TEXT PRIMARY KEY, fingerprint TEXT, text TEXT, title TEXT, words TEXT, tags TEXT
) WITHOUT ROWID;
"""


@dataclass(frozen=True, slots=True)
class SitePages:
    """The cache, at `path` or in memory; StoreError where the disk refuses it."""

    _connection: sqlite3.Connection
    path: Path | None = None
    _lock: BaseFileLock | None = None

    def close(self) -> None:
        """Close the file and let the next build have it."""
        self._connection.close()
        if self._lock is not None:
            self._lock.release()

    def fingerprints(self) -> dict[str, str]:
        """Return address -> fingerprint of every page."""
        return dict(self._ask("SELECT uri, fingerprint FROM pages"))

    def update(self, staging: "Staging") -> None:
        """Keep the changed pages and forget those that are gone; both or neither."""
        rows = ((uri, staging.fingerprints[uri], page.text, page.title, page.words, page.tags)
                for uri, page in staging.rendered.items())  # fmt: skip
        left = [(uri,) for uri in staging.gone]
        try:
            with self._connection as connection:
                connection.executemany("REPLACE INTO pages VALUES (?, ?, ?, ?, ?, ?)", rows)
                connection.executemany("DELETE FROM pages WHERE uri = ?", left)
        except sqlite3.Error as error:
            raise StoreError(_refused(error)) from error

    def text(self, uri: str) -> str:
        """Return the text of a page, front matter included."""
        return str(self._ask("SELECT text FROM pages WHERE uri = ?", uri)[0][0])

    def words(self) -> Iterator[tuple[str, str, str, str]]:
        """Yield address, title, words and tags, a line each, of the pages for search, in order."""
        yield from self._ask(
            "SELECT uri, title, words, tags FROM pages WHERE words != '' ORDER BY uri"
        )

    def _ask(self, query: str, *values: str) -> list[Any]:
        try:
            return self._connection.execute(query, values).fetchall()
        except sqlite3.Error as error:
            raise StoreError(_refused(error)) from error


def stage_pages(library: "Library", cache: SitePages) -> "Staging":
    """Bring the cache up to date with `library`."""
    from calmkb.wings.site.content.catalogue import Catalogue
    from calmkb.wings.site.staging.stage import restage

    staging = restage(Catalogue(library), cache.fingerprints())
    cache.update(staging)
    return staging


def _refused(error: sqlite3.Error) -> str:
    return f"the cache of the site cannot be used ({error}); run: calmkb site build --rebuild"


def open_site_pages(path: Path | None, *, wait: float = 0, rebuild: bool = False) -> SitePages:
    """Open the cache at `path`, making it where there is none that can be read, or with `rebuild`.

    One build has it at a time; another waits for `wait` seconds. Without a path, or when it cannot
    be had, the cache lasts as long as the process, and the site is made from nothing.
    """
    if path is None:
        return SitePages(_open(":memory:"))
    lock = FileLock(f"{path}.lock", timeout=wait)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock.acquire()
        if rebuild:
            remove_cache(path)
        return SitePages(_open(path), path, lock)
    except (OSError, sqlite3.Error):  # `Timeout`, of the lock, is an OSError
        lock.release()
        return SitePages(_open(":memory:"))


def read_site_pages(path: Path) -> SitePages:
    """Open the cache of a build that goes on; sqlite3.Error where there is none."""
    return SitePages(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True))


def _open(path: Path | str) -> sqlite3.Connection:
    connection = open_cache(path, _TABLES, VERSION, wait=10)
    connection.execute("PRAGMA journal_mode = WAL")
    return connection
