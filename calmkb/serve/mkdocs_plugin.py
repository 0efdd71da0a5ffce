"""The MkDocs plugin: puts the staged pages of a knowledge base into a site.

Pages exist in memory only. A page that a user wrote at the same address stands; so does a `nav`, a
style sheet, a theme folder of theirs.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mkdocs.config import config_options
from mkdocs.config.base import Config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.livereload import LiveReloadServer
from mkdocs.plugins import BasePlugin, event_priority, get_plugin_logger
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.pages import Page

from calmkb.config import load_config
from calmkb.site.sanitise import clean_html
from calmkb.site.stage import stage
from calmkb.templating import templates_dir

if TYPE_CHECKING:
    from calmkb.model import Library

STYLE, LOGO = "assets/calmkb.css", "assets/calmkb.svg"
OFFLINE_WORKER = "assets/calmkb-iframe-worker.js"
ASSETS = (STYLE, LOGO, OFFLINE_WORKER)
EXTENSIONS = ("attr_list", "md_in_html")
NAV = (
    ("Home", "index.md"),
    ("Sessions", "sessions/index.md"),
    ("Friction", "friction.md"),
    ("Memories", "memories/index.md"),
    ("Reflections", "reflections/index.md"),
    ("Improvements", "improvements.md"),
    ("Tags", "tags.md"),
)

log = get_plugin_logger(__name__)


class CalmkbConfig(Config):  # type: ignore[no-untyped-call]  # MkDocs leaves this hook untyped
    """What a user may set under `calmkb:` in mkdocs.yml."""

    root = config_options.Optional(config_options.Dir(exists=True))
    """The knowledge base; by default the folder of mkdocs.yml."""


class CalmkbPlugin(BasePlugin[CalmkbConfig]):  # type: ignore[no-untyped-call]  # as above
    """Adds a knowledge base's pages, looks and navigation to a MkDocs site."""

    def __init__(self) -> None:
        self._uris: frozenset[str] = frozenset()

    def load(self, root: Path) -> "Library":
        """Read the knowledge base; here alone does the plugin meet the disk."""
        from calmkb.kb.pages import load_library

        return load_library(root)

    # Before the offline plugin, which would add a script from another host.
    @event_priority(50)
    def on_config(self, config: MkDocsConfig) -> MkDocsConfig:
        """Add theme folder, style sheet and Markdown extensions; each below the user's own."""
        ours = str(templates_dir() / "site" / "overrides")
        if ours not in config.theme.dirs:
            config.theme.dirs.insert(1 if config.theme.custom_dir else 0, ours)
        config.extra_css.insert(0, STYLE)
        _add_marks(config)
        _keep_search_at_home(config)
        for extension in EXTENSIONS:
            if extension not in config.markdown_extensions:
                config.markdown_extensions.append(extension)
        return config

    def on_files(self, files: Files, *, config: MkDocsConfig) -> Files:
        """Add the staged pages, without overwriting a page of the user's."""
        pages = stage(self.load(self._root(config)))
        own = {file.dest_uri: file.src_uri for file in files.documentation_pages()}
        added = []
        for uri, text in pages.items():
            file = _generated(config, uri, content=text)
            if file.dest_uri in own:
                log.info("%s is your own page; the generated one is left out", own[file.dest_uri])
                continue
            files.append(file)
            added.append(uri)
        self._uris = frozenset(added)
        _add_assets(files, config)
        if config.nav is None:
            config.nav = _nav(files, own.values())
        return files

    # Late, so that what other plugins put into a generated page is sieved too.
    @event_priority(-75)
    def on_page_content(
        self, html: str, *, page: Page, config: MkDocsConfig, files: Files
    ) -> str | None:
        """Sieve the pages made from records; a user's own pages are theirs."""
        return clean_html(html) if page.file.src_uri in self._uris else None

    def on_serve(
        self, server: LiveReloadServer, *, config: MkDocsConfig, builder: Any
    ) -> LiveReloadServer:
        """Build again when a record is written, the very first one included."""
        root = self._root(config)
        journal = root / load_config(root).journal
        journal.mkdir(parents=True, exist_ok=True)
        server.watch(str(journal))
        return server

    def _root(self, config: MkDocsConfig) -> Path:
        if self.config.root:
            return Path(self.config.root)
        return Path(config.config_file_path).parent if config.config_file_path else Path.cwd()


def _add_marks(config: MkDocsConfig) -> None:
    if config.theme.get("favicon") == "assets/images/favicon.png":
        config.theme["favicon"] = LOGO
    if not config.theme.get("logo") and not (config.theme.get("icon") or {}).get("logo"):
        config.theme["logo"] = LOGO


def _keep_search_at_home(config: MkDocsConfig) -> None:
    offline = config.plugins.get("material/offline") or config.plugins.get("offline")
    if offline and offline.config.get("enabled"):
        config.extra.setdefault("polyfills", []).append(OFFLINE_WORKER)


def _generated(config: MkDocsConfig, uri: str, **source: str) -> File:
    # Not in the nav: MkDocs takes quadratic time over the pages that are.
    return File.generated(config, uri, inclusion=InclusionLevel.NOT_IN_NAV, **source)


def _add_assets(files: Files, config: MkDocsConfig) -> None:
    for uri in ASSETS:
        if files.get_file_from_path(uri) is None:
            source = str(templates_dir() / "site" / uri)
            files.append(_generated(config, uri, abs_src_path=source))


def _nav(files: Files, own: Iterable[str]) -> list[Any]:
    """Return the doors of the site, then the user's own pages on the top floor of `docs`."""
    doors: list[Any] = [{title: uri} for title, uri in NAV if files.get_file_from_path(uri)]
    known = {uri for _, uri in NAV}
    return doors + sorted(uri for uri in own if "/" not in uri and uri not in known)
