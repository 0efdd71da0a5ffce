"""One build of a site by MkDocs: what becomes of the staged pages at each of its events.

MkDocs renders the pages of the navigation, and those of the others whose file would change: the
file of any other page stays as the last build left it.
"""

from collections.abc import Generator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from mkdocs.plugins import get_plugin_logger

from calmkb.wings.site.builder.cache import stage_pages
from calmkb.wings.site.builder.looks import add_assets, navigation
from calmkb.wings.site.builder.output import Built, Output
from calmkb.wings.site.builder.rendering.markdown import Dialect, body, pages_ahead, sanitized
from calmkb.wings.site.builder.rendering.staged_page import StagedFile, StagedPage
from calmkb.wings.site.builder.rendering.theme import Theme, has_only_known_plugins
from calmkb.wings.site.builder.search import add_documents
from calmkb.wings.site.staging.fingerprints import code_digest, text_digest

if TYPE_CHECKING:
    from jinja2 import Environment
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.nav import Navigation
    from mkdocs.structure.pages import Page

    from calmkb.model import Library
    from calmkb.wings.site.builder.cache import SitePages

log = get_plugin_logger("calmkb")


@dataclass
class PageBuild:
    """The staged pages of one build; `output`, where it is known, is the site built before."""

    library: "Library"
    cache: "SitePages"
    config: "MkDocsConfig"
    output: Output | None = None
    _pages: list[StagedPage] = field(default_factory=list)
    _keys: dict[str, str] = field(default_factory=dict)
    _kept: frozenset[str] = frozenset()
    _theme: Theme | None = None
    _ahead: Generator[tuple[str, str]] | None = None

    def __post_init__(self) -> None:
        config = self.config
        self._dialect = Dialect(
            tuple(config.markdown_extensions),
            dict(config.mdx_configs or {}),
            config.use_directory_urls,
        )
        self._may_skip = has_only_known_plugins(config)

    def add_pages(self, files: "Files") -> None:
        """Stage the library and add its pages, without overwriting a page of the user's."""
        staging = stage_pages(self.library, self.cache)
        how = f"{code_digest().hex()} {self._dialect!r}"
        own = {file.dest_uri: file.src_uri for file in files.documentation_pages()}
        newest = max((view.entry.created_at for view in self.library.sessions), default=None)
        for uri, fingerprint in staging.fingerprints.items():
            file = StagedFile.at(self.config, uri, self.cache)
            if source := own.get(file.dest_uri):
                log.info("%s is your own page; the generated one is left out", source)
                continue
            self._pages.append(StagedPage(file, self.config, day=_day_of(uri) or newest))
            self._keys[uri] = text_digest(how, fingerprint)
            files.append(file)
        add_assets(files, self.config)
        if self.config.nav is None:
            staged = [pair for pair in staging.nav if files.get_file_from_path(pair[1])]
            self.config.nav = navigation(staged, own.values())

    def choose_pages(self, nav: "Navigation") -> None:
        """Skip the pages outside the navigation, where plugins do not ask to see them."""
        in_nav = set(map(id, nav.pages))
        for page in self._pages:
            page.skipped = self._may_skip and id(page) not in in_nav
            if not page.skipped:
                page.html = self._body(page)

    def start_rendering(
        self, env: "Environment", nav: "Navigation", files: "Files", *, policy: bool
    ) -> None:
        """Have MkDocs build the skipped pages whose file is not current."""
        self._theme = Theme(env, nav, files, self.config, policy)
        skipped = [page for page in self._pages if page.skipped]
        self._kept = self._current(skipped, self._theme.digest)
        late = [page for page in skipped if page.file.dest_uri not in self._kept]
        for page in late:
            page.build_late()
        uris = [page.file.src_uri for page in late]
        self._ahead = pages_ahead(self._dialect, self.cache.path, uris)
        next(self._ahead, None)

    def fill(self, page: "Page") -> None:
        """Give a staged page its text, now that it is built."""
        if isinstance(page, StagedPage) and page.late:
            uri, html = next(self._ahead or iter(()), ("", ""))
            page.html = html if uri == page.file.src_uri else self._body(page)
            page.load()

    def sanitized(self, html: str, page: "Page") -> str | None:
        """Return what other plugins made of a staged page, sanitized; a user's page is theirs."""
        changed = isinstance(page, StagedPage) and not page.skipped and html != page.content
        return sanitized(html) if changed else None

    def finished(self, html: str, page: "Page") -> str:
        """Return a staged page checked and with its policy; any other page as it is."""
        if self._theme is None or not isinstance(page, StagedPage) or page.skipped:
            return html
        html = self._theme.finished(html, page)
        if page.late:
            page.unload()
        return html

    def finish_site(self) -> None:
        """Add the staged pages to the search index."""
        folder = Path(self.config.site_dir)
        urls = {page.file.src_uri: page.url for page in self._pages}
        add_documents(folder / "search" / "search_index.json", self.cache.words(), urls.get)

    def publish(self, scratch: Path) -> Built:
        """Move what was built in `scratch` to the output; return what changed."""
        assert self.output  # noqa: S101 - a site that plain MkDocs builds is not published
        theme = self._theme.digest if self._theme else ""
        keys = {page.file.dest_uri: self._file_key(page, theme) for page in self._pages}
        return self.output.publish(scratch, self._kept, keys)

    def close(self) -> None:
        """Let go of the other process and of the cache."""
        if self._ahead:
            self._ahead.close()
        self.cache.close()

    def _file_key(self, page: StagedPage, theme: str) -> str:
        return text_digest(self._keys[page.file.src_uri], theme)

    def _current(self, pages: list[StagedPage], theme: str) -> frozenset[str]:
        """Return the paths of those whose file in the output is what would be rendered."""
        if self.output is None:
            return frozenset()
        paths = ((page.file.dest_uri, self._file_key(page, theme)) for page in pages)
        return frozenset(path for path, key in paths if self.output.is_current(path, key))

    def _body(self, page: StagedPage) -> str:
        return body(self._dialect, page.file.src_uri, page.file.content_string)


def _day_of(uri: str) -> datetime | None:
    """Return the day in the address of a record's page: its text is as old as that."""
    stem = uri.rsplit("/", 1)[-1][:10]
    try:
        return datetime.strptime(stem, "%Y-%m-%d")
    except ValueError:
        return None
