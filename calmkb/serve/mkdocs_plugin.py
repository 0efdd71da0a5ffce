"""The MkDocs plugin: puts the staged pages of a knowledge base into a site.

Pages lie in a cache, and are made again when what they show changed. A page that a user wrote at
the same address stands; so does a `nav`, a style sheet, a theme folder of theirs.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import Environment
from mkdocs.config import config_options
from mkdocs.config.base import Config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.livereload import LiveReloadServer
from mkdocs.plugins import BasePlugin, event_priority, get_plugin_logger
from mkdocs.structure.files import Files
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page

from calmkb.config import load_config
from calmkb.serve.site_frame import add_assets, add_looks, navigation
from calmkb.serve.site_output import output_at
from calmkb.serve.site_search import add_documents
from calmkb.serve.site_shell import shell_key, shell_of
from calmkb.serve.site_staging import SiteStaging, stage_site
from calmkb.serve.staged_page import StagedPage, is_asleep
from calmkb.site.sanitise import clean_html
from calmkb.site.shell import Shell, parsed, with_policy

if TYPE_CHECKING:
    from calmkb.model import Library
    from calmkb.store.site_pages import SitePages

log = get_plugin_logger(__name__)
WAIT_SECONDS = 900
"""How long a build waits for another one of the same site."""


class CalmkbConfig(Config):  # type: ignore[no-untyped-call]  # MkDocs leaves this hook untyped
    """What a user may set under `calmkb:` in mkdocs.yml."""

    root = config_options.Optional(config_options.Dir(exists=True))
    """The knowledge base; by default the folder of mkdocs.yml."""
    policy = config_options.Type(bool, default=True)
    """Whether staged pages carry a Content-Security-Policy."""


class CalmkbPlugin(BasePlugin[CalmkbConfig]):  # type: ignore[no-untyped-call]  # as above
    """Adds a knowledge base's pages, looks and navigation to a MkDocs site."""

    def __init__(self) -> None:
        self._folder: Path | None = None
        self._anew = False
        self._staging: SiteStaging | None = None
        self._shell = Shell("")
        self._serving = False

    def load(self, root: Path) -> "Library":
        """Read the knowledge base."""
        from calmkb.kb.pages import load_library

        return load_library(root)

    def keep(self, folder: Path, *, anew: bool = False) -> None:
        """Let pages of the site in `folder` stay that would come out the same.

        The build is then to be moved there by `settle`. With `anew` nothing stays.
        """
        self._folder, self._anew = folder, anew

    def settle(self, scratch: Path) -> int:
        """Bring the folder up to date with what was built; return how many files changed."""
        return self._staging.put_in_place(scratch) if self._staging else 0

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
        root = self._root(config)
        self._close()
        pages = self._open_cache(root)
        output = output_at(self._folder, pages) if self._folder else None
        staging = stage_site(self.load(root), pages, config, output)
        own = {file.dest_uri: file.src_uri for file in files.documentation_pages()}
        for file in staging.files:
            if file.dest_uri in own:
                log.info("%s is your own page; the generated one is left out", own[file.dest_uri])
                staging.leave_out(file)
            else:
                files.append(file)
        self._staging = staging
        add_assets(files, config)
        if config.nav is None:
            config.nav = navigation(files, own.values())
        return files

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
        """Look at the theme without any record, and wake the pages that it changes."""
        nav = self._nav
        self._shell = shell_of(env, nav, files, config)
        if self._staging:
            key = f"{shell_key(config, nav, self._shell)} {self.config.policy} {self._serving}"
            self._staging.settle(key, nav)
        return env

    def on_nav(self, nav: Navigation, *, config: MkDocsConfig, files: Files) -> None:
        """Note the navigation, which the theme shows on every page."""
        self._nav = nav

    # Last, so that it sees what goes to the reader.
    @event_priority(-100)
    def on_post_page(self, output: str, *, page: Page, config: MkDocsConfig) -> str:
        """Check a staged page, and put its policy in; one that sleeps stays as it was built."""
        if not isinstance(page, StagedPage):
            return output
        if is_asleep(page):
            return ""
        tree = parsed(output)
        if faults := self._shell.faults(tree):
            raise PluginError(
                f"{page.file.src_uri} holds what a page from records may not: {faults[0]}. "
                "Nothing was published; please report it with the record."
            )
        if self._serving or not self.config.policy:
            return output
        return with_policy(output, self._shell.policy(tree))

    @event_priority(-50)  # after search wrote its index, before an offline copy is made of it
    def on_post_build(self, *, config: MkDocsConfig) -> None:
        """Tell search of the staged pages."""
        if self._staging:
            index = Path(config.site_dir) / "search" / "search_index.json"
            add_documents(index, self._staging.words(), self._staging.url_of)
            self._staging.finish()

    def on_build_error(self, *, error: Exception, **rest: Any) -> None:
        """Let go of the cache."""
        self._close()

    def on_shutdown(self) -> None:
        """Let go of the cache."""
        self._close()

    def on_serve(
        self, server: LiveReloadServer, *, config: MkDocsConfig, builder: Any
    ) -> LiveReloadServer:
        """Build again when a record is written, the very first one included."""
        root = self._root(config)
        journal = root / load_config(root).journal
        journal.mkdir(parents=True, exist_ok=True)
        server.watch(str(journal))
        return server

    def _open_cache(self, root: Path) -> "SitePages":
        from calmkb.kb.site_cache import open_cache

        pages = open_cache(root, wait=WAIT_SECONDS if self._folder else 0)
        if self._anew:
            pages.clear()
        return pages

    def _close(self) -> None:
        if self._staging:
            self._staging.close()
            self._staging = None

    def _root(self, config: MkDocsConfig) -> Path:
        if self.config.root:
            return Path(self.config.root)
        return Path(config.config_file_path).parent if config.config_file_path else Path.cwd()
