"""The MkDocs plugin: puts the staged pages of a knowledge base into a site.

Pages lie in a cache, and are made again when what they show changed. A page that a user wrote at
the same address stands; so does a `nav`, a style sheet, a theme folder of theirs.
"""

import logging
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import Environment
from mkdocs.config import config_options
from mkdocs.config.base import Config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.livereload import LiveReloadServer
from mkdocs.plugins import BasePlugin, event_priority, get_plugin_logger
from mkdocs.structure.files import Files
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page

from calmkb.config import load_config
from calmkb.site.builder.feeds import write_feed
from calmkb.site.builder.frame import add_assets, add_looks, navigation
from calmkb.site.builder.manifest import Manifest
from calmkb.site.builder.output import Moved, output_at
from calmkb.site.builder.rendering.render import refuse_faults
from calmkb.site.builder.rendering.shell import Frame, shell_key
from calmkb.site.builder.rendering.staged_page import StagedPage, is_asleep
from calmkb.site.builder.rendering.templates import COMPILED
from calmkb.site.builder.search import add_documents
from calmkb.site.builder.staging import SiteStaging, stage_site
from calmkb.site.text.sanitize import clean_html

if TYPE_CHECKING:
    from calmkb.model import Library
    from calmkb.site.builder.cache import SitePages

log = get_plugin_logger(__name__)
WAIT_SECONDS = 900
"""How long a build waits for another one of the same site."""


BUILD_LOGGER = "mkdocs.commands.build"


class QuietFilter(logging.Filter):
    """Spares the reader a line for each page that MkDocs need not build."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Let all else pass."""
        return "Generated empty output" not in record.getMessage()


class CalmkbConfig(Config):  # type: ignore[no-untyped-call]  # MkDocs leaves this hook untyped
    """What a user may set under `calmkb:` in mkdocs.yml."""

    root = config_options.Optional(config_options.Dir(exists=True))
    """The knowledge base; by default the folder of mkdocs.yml."""
    policy = config_options.Type(bool, default=True)
    """Whether staged pages carry a Content-Security-Policy."""


class CalmkbPlugin(BasePlugin[CalmkbConfig]):  # type: ignore[no-untyped-call]  # as above
    """Adds a knowledge base's pages, looks and navigation to a MkDocs site."""

    def __init__(self) -> None:
        self._manifest: Manifest | None = None
        self._anew = False
        self._staging: SiteStaging | None = None
        self._library: Library | None = None
        self._quiet = QuietFilter()
        self._frame: Frame | None = None
        self._serving = False

    def load(self, root: Path) -> "Library":
        """Read the knowledge base."""
        from calmkb.kb.site.pages import load_library

        return load_library(root)

    def open_cache(self, config: MkDocsConfig) -> "SitePages":
        """Open the cache of staged pages: one build has it at a time."""
        from calmkb.kb.site.cache import open_cache

        wait = WAIT_SECONDS if self._manifest else 0
        return open_cache(self.root_of(config), wait=wait, rebuild=self._anew)

    def root_of(self, config: MkDocsConfig) -> Path:
        """Return the folder of the knowledge base."""
        if self.config.root:
            return Path(self.config.root)
        return Path(config.config_file_path).parent if config.config_file_path else Path.cwd()

    def keep(self, manifest: Manifest, *, rebuild: bool = False) -> None:
        """Let pages of the site of `manifest` stay that would come out the same.

        The build is then to be moved there by `settle`. With `anew` nothing stays.
        """
        self._manifest, self._anew = manifest, rebuild

    def settle(self, scratch: Path) -> Moved:
        """Bring the folder up to date with what was built; return what changed."""
        return self._staging.put_in_place(scratch) if self._staging else Moved(0)

    def on_startup(self, *, command: str, dirty: bool) -> None:
        """Note whether pages are served to their author, with a script that reloads them."""
        self._serving = command == "serve"

    # Before the offline plugin, which would add a script from another host.
    @event_priority(50)
    def on_config(self, config: MkDocsConfig) -> MkDocsConfig:
        """Add theme folder, style sheets and Markdown extensions; each below the user's own."""
        add_looks(config)
        return config

    def on_files(self, files: Files, *, config: MkDocsConfig) -> Files:
        """Add the staged pages, without overwriting a page of the user's."""
        self._close()
        staging = self._stage(config)
        own = {file.dest_uri: file.src_uri for file in files.documentation_pages()}
        for page in list(staging.staged):
            if source := own.get(page.file.dest_uri):
                log.info("%s is your own page; the generated one is left out", source)
                staging.leave_out(page)
            else:
                files.append(page.file)
        self._staging = staging
        add_assets(files, config)
        if config.nav is None:
            config.nav = navigation(files, own.values())
        return files

    def _stage(self, config: MkDocsConfig) -> SiteStaging:
        root = self.root_of(config)
        pages = self.open_cache(config)
        try:
            output = output_at(self._manifest, pages) if self._manifest else None
            journal = root / load_config(root).journal
            read = partial(self.load, root)
            self._library, staging = stage_site(read, journal, pages, config, output)
        except BaseException:
            pages.close()  # else the next build of this process could not have it
            raise
        return staging

    # Late, so that what other plugins put into a generated page is sieved too.
    @event_priority(-75)
    def on_page_content(
        self, html: str, *, page: Page, config: MkDocsConfig, files: Files
    ) -> str | None:
        """Sieve what other plugins made of a staged page; a user's own pages are theirs."""
        changed = isinstance(page, StagedPage) and page.is_changed(html)
        return clean_html(html) if changed else None

    # Late: whatever other plugins give the theme belongs to the shell.
    @event_priority(-75)
    def on_env(self, env: Environment, *, config: MkDocsConfig, files: Files) -> Environment:
        """Look at the theme without any record, and make the pages that MkDocs need not."""
        env.bytecode_cache = COMPILED
        policy = self.config.policy and not self._serving
        logging.getLogger(BUILD_LOGGER).addFilter(self._quiet)
        self._frame = frame = Frame(env, self._nav, files, config, policy)
        if self._staging:
            key = f"{shell_key(config, self._nav, frame.shell)} {policy}"
            self._staging.settle(key, frame, frame.shell, Path(config.site_dir))
        return env

    def on_nav(self, nav: Navigation, *, config: MkDocsConfig, files: Files) -> None:
        """Note the navigation, which the theme shows on every page."""
        self._nav = nav
        if self._staging:
            self._staging.wake_for(nav)

    # Last, so that it sees what goes to the reader.
    @event_priority(-100)
    def on_post_page(self, output: str, *, page: Page, config: MkDocsConfig) -> str:
        """Check a staged page, and put its policy in; one that sleeps stays as it was built."""
        if self._frame is None or not isinstance(page, StagedPage):
            return output
        if is_asleep(page):
            return ""
        finished = self._frame.finished(output, page)
        refuse_faults(self._frame.shell, page.file.src_uri, finished)
        return finished

    @event_priority(-50)  # after search wrote its index, before an offline copy is made of it
    def on_post_build(self, *, config: MkDocsConfig) -> None:
        """Add the staged pages to the search index, and write the feed."""
        if self._staging and self._library:
            write_feed(config, self._library, Path(config.site_dir))
            index = Path(config.site_dir) / "search" / "search_index.json"
            add_documents(index, self._staging.words(), self._staging.urls().get)
        logging.getLogger(BUILD_LOGGER).removeFilter(self._quiet)

    def on_build_error(self, *, error: Exception, **rest: Any) -> None:
        """Let go of the cache."""
        self._close()

    def on_shutdown(self) -> None:
        """Let go of the cache, and of the folder: MkDocs keeps one plugin for several builds."""
        self._close()
        self._manifest, self._anew = None, False

    def on_serve(
        self, server: LiveReloadServer, *, config: MkDocsConfig, builder: Any
    ) -> LiveReloadServer:
        """Build again when a record is written, the very first one included."""
        root = self.root_of(config)
        journal = root / load_config(root).journal
        journal.mkdir(parents=True, exist_ok=True)
        server.watch(str(journal))
        return server

    def _close(self) -> None:
        logging.getLogger(BUILD_LOGGER).removeFilter(self._quiet)
        if self._staging:
            self._staging.close()
            self._staging = self._library = None
