"""The MkDocs plugin: puts the staged pages of a knowledge base into a site.

Pages lie in a cache, and are made again when what they show changed. A page that a user wrote at
the same address is kept; so is a `nav`, a style sheet, a theme folder of theirs.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import Environment
from mkdocs.config import config_options
from mkdocs.config.base import Config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.livereload import LiveReloadServer
from mkdocs.plugins import BasePlugin, event_priority
from mkdocs.structure.files import Files
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page

from calmkb.config import load_config
from calmkb.kb.base.cache_paths import cache_path
from calmkb.wings.site.builder.build import check_links
from calmkb.wings.site.builder.cache import WAIT_SECONDS, SitePages, open_site_pages
from calmkb.wings.site.builder.looks import add_looks
from calmkb.wings.site.builder.output import Built, Output
from calmkb.wings.site.builder.page_build import PageBuild
from calmkb.wings.site.verbs.pages import load_library

if TYPE_CHECKING:
    from calmkb.model import Library

Given = tuple["Library", SitePages]
"""The records of the knowledge base, and the cache of its pages."""


class CalmkbConfig(Config):  # type: ignore[no-untyped-call]  # MkDocs leaves this hook untyped
    """What a user may set under `calmkb:` in mkdocs.yml."""

    root = config_options.Optional(config_options.Dir(exists=True))
    """The knowledge base; by default the folder of mkdocs.yml."""
    policy = config_options.Type(bool, default=True)
    """Whether staged pages carry a Content-Security-Policy."""


class CalmkbPlugin(BasePlugin[CalmkbConfig]):  # type: ignore[no-untyped-call]  # as above
    """Adds a knowledge base's pages, looks and navigation to a MkDocs site."""

    def __init__(self) -> None:
        self._output: Output | None = None
        self._given: Given | None = None
        self._build: PageBuild | None = None
        self._nav: Navigation | None = None
        self._serving = False

    def read(self, config: MkDocsConfig) -> "Library":
        """Return the records of the knowledge base."""
        return load_library(self._root(config))

    def open_cache(self, config: MkDocsConfig) -> SitePages:
        """Open the cache of staged pages: one build has it at a time."""
        wait = WAIT_SECONDS if self._output else 0
        rebuild = self._output is not None and self._output.rebuild
        place = cache_path(self._journal(config), "site")
        return open_site_pages(place, wait=wait, rebuild=rebuild)

    def build_for(self, output: Output, given: Given | None) -> None:
        """Let pages of `output` stay that would come out the same; `publish` moves the others."""
        self._output, self._given = output, given

    def publish(self, scratch: Path) -> Built:
        """Bring the folder up to date with what was built; return what changed."""
        assert self._build  # noqa: S101 - MkDocs has built
        return self._build.publish(scratch)

    def on_startup(self, *, command: str, dirty: bool) -> None:
        """Note whether pages are served to their author, with a script that reloads them."""
        self._serving = command == "serve"

    # Before the offline plugin, which would add a script from another host.
    @event_priority(50)
    def on_config(self, config: MkDocsConfig) -> MkDocsConfig:
        """Add theme folder, style sheets and Markdown extensions; each below the user's own."""
        check_links(Path(config.docs_dir))
        add_looks(config)
        return config

    def on_files(self, files: Files, *, config: MkDocsConfig) -> Files:
        """Add the staged pages, without overwriting a page of the user's."""
        self._close()
        library, cache = self._given or (None, self.open_cache(config))
        try:
            self._build = PageBuild(library or self.read(config), cache, config, self._output)
            self._build.add_pages(files)
        except BaseException:
            self._close()
            cache.close()  # else the next build of this process could not have it
            raise
        return files

    def on_nav(self, nav: Navigation, *, config: MkDocsConfig, files: Files) -> None:
        """Choose the pages that MkDocs is to render."""
        self._nav = nav
        if self._build:
            self._build.choose_pages(nav)

    # Late, so that what other plugins put into a generated page is sanitized too.
    @event_priority(-75)
    def on_page_content(
        self, html: str, *, page: Page, config: MkDocsConfig, files: Files
    ) -> str | None:
        """Sanitize what other plugins made of a staged page."""
        return self._build.sanitized(html, page) if self._build else None

    # Late: whatever other plugins give the theme belongs to its page without records.
    @event_priority(-75)
    def on_env(self, env: Environment, *, config: MkDocsConfig, files: Files) -> Environment:
        """Choose the pages outside the navigation that MkDocs is to build."""
        if self._build and self._nav:
            policy = self.config.policy and not self._serving
            self._build.start_rendering(env, self._nav, files, policy=policy)
        return env

    @event_priority(100)  # first: what other plugins see is the page with its text
    def on_page_context(self, context: Any, *, page: Page, config: MkDocsConfig, nav: Any) -> Any:
        """Give a staged page its text."""
        if self._build:
            self._build.fill(page)
        return context

    # Last, so that it sees what goes to the reader.
    @event_priority(-100)
    def on_post_page(self, output: str, *, page: Page, config: MkDocsConfig) -> str:
        """Check a staged page, and add its policy."""
        return self._build.finished(output, page) if self._build else output

    @event_priority(-50)  # after search wrote its index, before an offline copy is made of it
    def on_post_build(self, *, config: MkDocsConfig) -> None:
        """Add the staged pages to the search index."""
        if self._build:
            self._build.finish_site()

    def on_build_error(self, *, error: Exception, **rest: Any) -> None:
        """Let go of the cache."""
        self._close()

    def on_shutdown(self) -> None:
        """Let go of the cache, and of the folder: MkDocs keeps one plugin for several builds."""
        self._close()
        self._output = self._given = None

    def on_serve(
        self, server: LiveReloadServer, *, config: MkDocsConfig, builder: Any
    ) -> LiveReloadServer:
        """Build again when a record is written, the very first one included."""
        journal = self._journal(config)
        journal.mkdir(parents=True, exist_ok=True)
        server.watch(str(journal))
        return server

    def _root(self, config: MkDocsConfig) -> Path:
        if self.config.root:
            return Path(self.config.root)
        return Path(config.config_file_path).parent if config.config_file_path else Path.cwd()

    def _journal(self, config: MkDocsConfig) -> Path:
        root = self._root(config)
        return root / load_config(root).journal

    def _close(self) -> None:
        if self._build:
            self._build.close()
            self._build = None
