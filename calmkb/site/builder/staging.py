"""The staged pages of one build: which there are, which sleep, and where each of them goes.

A page that is awake is built by MkDocs, as any page is. One that sleeps is not: its file stays as
the last build left it, or it is pressed into the theme's mould.
"""

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from calmkb.site.builder.cache import BodyRow, PageRow
from calmkb.site.builder.output import Moved
from calmkb.site.builder.rendering.markdown import Body, Dialect, body, made_by
from calmkb.site.builder.rendering.render import Job, Press
from calmkb.site.builder.rendering.shell import Frame, all_known
from calmkb.site.builder.rendering.staged_page import StagedFile, StagedPage
from calmkb.site.builder.rendering.workers import MANY, Workers
from calmkb.site.content.catalogue import Catalogue
from calmkb.site.pages.fingerprints import press_digest
from calmkb.site.pages.stage import Staging, restage
from calmkb.site.text.shell import Shell

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.nav import Navigation

    from calmkb.model import Library
    from calmkb.site.builder.cache import SitePages
    from calmkb.site.builder.output import Output


@dataclass
class SiteStaging:
    """The pages of a build, in the cache `pages`; `keys` tell by address what each is made from."""

    pages: "SitePages"
    staged: list[StagedPage]
    keys: dict[str, str]
    dialect: Dialect
    workers: Workers
    output: "Output | None"
    fast: bool
    _kept: set[str] = field(default_factory=set)
    _shell_key: str = ""

    def leave_out(self, page: StagedPage) -> None:
        """Leave out a page in whose place stands one of the user's."""
        self.staged.remove(page)

    def wake_for(self, nav: "Navigation") -> None:
        """Wake the pages that MkDocs is to build: those of the navigation, or all of them."""
        in_nav = set(map(id, nav.pages))
        for page in self.staged:
            page.asleep = self.fast and id(page) not in in_nav
        self._render([page for page in self.staged if not page.asleep])

    def settle(self, shell_key: str, frame: Frame, shell: Shell, folder: Path) -> None:
        """Press the sleeping pages that do not stay as they are.

        Where the theme prints something else on a page than its mould has, MkDocs builds them all.
        """
        same = self.output is not None and self.output.shell_key == shell_key
        asleep = [page for page in self.staged if page.asleep]
        stay = {page.file.dest_uri for page in asleep if same and self._stands(page)}
        work = [page for page in asleep if page.file.dest_uri not in stay]
        self._shell_key = shell_key
        if work and not self._has_moulds(work, frame):
            self._render(asleep)
            for page in asleep:
                page.wake()
            return
        self._kept = stay
        press = Press(self.dialect, frame.moulds, Shell(shell.html), folder)
        self._save_bodies(self.workers.press(press, lambda: self._jobs(work, frame), len(work)))

    def words(self) -> Iterator[tuple[str, str, str]]:
        """Yield what search knows of the pages."""
        return self.pages.words()

    def urls(self) -> dict[str, str]:
        """Return address -> where the page stands in the built site."""
        return {page.file.src_uri: page.url for page in self.staged}

    def put_in_place(self, scratch: Path) -> Moved:
        """Move what was built in `scratch` to the output; return what changed."""
        if self.output is None:
            return Moved(0)
        keys = {page.file.dest_uri: self.keys[page.file.src_uri] for page in self.staged}
        self.output.finish(self._kept, keys, self._shell_key)
        moved = self.output.settle(scratch)
        self.pages.save_outputs(self.output.folder, self.output.rows())
        return moved

    def close(self) -> None:
        """Let go of the cache and of the other processes."""
        self.workers.close()
        self.pages.close()

    def _stands(self, page: StagedPage) -> bool:
        path, key = page.file.dest_uri, self.keys[page.file.src_uri]
        return self.output is not None and self.output.stands(path, key)

    def _has_moulds(self, work: list[StagedPage], frame: Frame) -> bool:
        """Make a mould for each kind of place, and try it on the first page of each."""
        tried = set()
        for page in work:
            if (name := frame.name_of(page)) not in tried:
                tried.add(name)
                self._render([page])
                if not frame.fits(page):
                    return False
        return True

    def _jobs(self, work: list[StagedPage], frame: Frame) -> Iterator[Job]:
        known = self.pages.body_keys()
        for page in work:
            uri, path = page.file.src_uri, page.file.dest_uri
            html = self.pages.body(uri) if known.get(uri) == self.keys[uri] else ""
            text = self.pages.text(uri)
            yield Job(uri, text, html, frame.name_of(page), page.canonical_url, path)

    def _render(self, wanted: list[StagedPage]) -> None:
        known = self.pages.body_keys()
        missing = [page.file.src_uri for page in wanted]
        missing = [uri for uri in missing if known.get(uri) != self.keys[uri]]
        self._save_bodies(body(self.dialect, uri, self.pages.text(uri)) for uri in missing)

    def _save_bodies(self, made: Iterator[Body]) -> None:
        rows = (BodyRow(one.uri, self.keys[one.uri], one.html) for one in made)
        self.pages.save_bodies(rows)


def stage_site(
    read: "Callable[[], Library]",
    journal: Path,
    pages: "SitePages",
    config: "MkDocsConfig",
    output: "Output | None",
) -> tuple["Library", SiteStaging]:
    """Bring the cache up to date with what is read; return that, and what to build of it."""
    dialect = _dialect(config)
    workers = Workers(dialect)
    if all_known(config) and _are_many(journal, pages):
        workers.begin()
    try:
        library = read()
        staging = stage_pages(library, pages)
    except BaseException:
        workers.close()
        raise
    newest = max((view.entry.created_at for view in library.sessions), default=None)
    staged = [
        StagedPage(StagedFile.at(config, uri, pages), config, day=_day_of(uri) or newest)
        for uri in staging.fingerprints
    ]
    keys, fast = _keys(staging, dialect), all_known(config)
    return library, SiteStaging(pages, staged, keys, dialect, workers, output, fast)


def _are_many(journal: Path, pages: "SitePages") -> bool:
    """Guess whether many pages will have to be made, before any record is read."""
    known = len(pages.body_keys())
    return known < MANY and len(list(islice(journal.rglob("*.md"), known + MANY))) == known + MANY


def stage_pages(library: "Library", pages: "SitePages") -> Staging:
    """Bring the cache `pages` up to date with `library`."""
    staging = restage(Catalogue(library), pages.fingerprints())
    rows = (
        PageRow(
            uri,
            staging.fingerprints[uri],
            page.text,
            page.search.title if page.search else "",
            page.search.text if page.search else "",
        )
        for uri, page in staging.printed.items()
    )
    pages.update(rows, staging.gone)
    return staging


def _keys(staging: Staging, dialect: Dialect) -> dict[str, str]:
    """Return address -> what tells the page's HTML from any other."""
    how = f"{made_by()} {press_digest().hex()} {dialect!r}"
    return {
        uri: hashlib.blake2b(f"{how} {found}".encode(), digest_size=16).hexdigest()
        for uri, found in staging.fingerprints.items()
    }


def _dialect(config: "MkDocsConfig") -> Dialect:
    return Dialect(
        tuple(config.markdown_extensions), dict(config.mdx_configs or {}), config.use_directory_urls
    )


def _day_of(uri: str) -> datetime | None:
    """Return the day in the address of a record's page: its text is as old as that."""
    stem = uri.rsplit("/", 1)[-1][:10]
    try:
        return datetime.strptime(stem, "%Y-%m-%d")
    except ValueError:
        return None
