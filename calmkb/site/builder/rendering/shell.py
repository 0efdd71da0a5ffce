"""The theme's page without any record's text: what it loads, what it depends on, its moulds."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from mkdocs.commands.build import get_context
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.pages import Page
from mkdocs.structure.toc import get_toc

from calmkb.site.builder.rendering.page_template import (
    MARKS,
    Mould,
    depth_of,
    mould_of,
    squeezed,
    values_of,
)
from calmkb.site.text.shell import Shell, parsed, with_policy

if TYPE_CHECKING:
    from jinja2 import Environment
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.nav import Navigation

    from calmkb.site.builder.rendering.staged_page import StagedPage

_META: dict[str, object] = {
    "generated_by": "calmkb",
    "hide": ["navigation", "toc"],
    "search": {"exclude": True},
}
_SETTINGS = (
    *("site_name", "site_url", "site_author", "site_description", "repo_url", "repo_name"),
    *("edit_uri", "copyright", "use_directory_urls", "extra", "extra_css", "extra_javascript"),
)
_KNOWN = {"calmkb", "search", "tags", "offline", "info"}
"""Plugins, with or without `material/`, that leave a page from records as the theme printed it."""


@dataclass
class Frame:
    """The theme, as it prints pages of this build; `policy` tells whether they carry one."""

    env: "Environment"
    nav: "Navigation"
    files: Files
    config: "MkDocsConfig"
    policy: bool
    moulds: dict[str, Mould] = field(default_factory=dict)

    @cached_property
    def shell(self) -> Shell:
        """A page that no record wrote any part of."""
        page = self._page("blank.md", _META | {"title": "blank"}, "<h1>blank</h1>")
        return Shell(squeezed(self._print(page), "<h1>blank</h1>"))

    @cached_property
    def doors(self) -> frozenset[str]:
        """The folders that pages of the navigation stand in: from inside, links there are short."""
        ways = (page.url.split("/")[:-1] for page in self.nav.pages)
        return frozenset("/".join(way[:n]) for way in ways for n in range(1, len(way) + 1))

    def name_of(self, page: "StagedPage") -> str:
        """Return the name of the mould for a page: all that the frame turns on."""
        described = "\ndescription: " in f"\n{page.file.front}"
        way = page.url.split("/")[:-1]
        inside = ("/".join(way[:n]) for n in range(len(way), 0, -1))
        door = next((folder for folder in inside if folder in self.doors), "")
        return f"{'described' if described else 'plain'} {depth_of(page.url)} {door}"

    def fits(self, page: "StagedPage") -> bool:
        """Make the mould for pages in such places, and say whether it gives what the theme does."""
        name = self.name_of(page)
        if name not in self.moulds:
            mould = self._mould(name.startswith("described"), page)
            if mould is None:
                return False
            self.moulds[name] = mould
        page.wake()
        printed = self.finished(self._print(page), page)
        values = values_of(page.meta, page.canonical_url, page.content or "")
        page.sleep()
        return self.moulds[name].fill(values) == printed

    def finished(self, html: str, page: Page) -> str:
        """Return a printed page as it goes to the reader."""
        html = squeezed(html, page.content or "")
        return with_policy(html, self.shell.policy(parsed(html))) if self.policy else html

    def _mould(self, described: bool, page: "StagedPage") -> Mould | None:
        folder = page.file.src_uri.rpartition("/")[0]
        name = "index.md" if page.file.name == "index" else "x.md"
        meta: dict[str, object] = _META | {"title": MARKS["title"]}
        if described:
            meta["description"] = MARKS["description"]
        blank = self._page(f"{folder}/{name}".lstrip("/"), meta, MARKS["content"])
        if blank.canonical_url:
            blank.canonical_url = MARKS["canonical"]
        return mould_of(self.finished(self._print(blank), blank))

    def _page(self, uri: str, meta: dict[str, object], content: str) -> Page:
        inclusion = InclusionLevel.NOT_IN_NAV
        file = File.generated(self.config, uri, content="", inclusion=inclusion)
        page = Page(None, file, self.config)
        page.markdown, page.content, page.meta = "", content, meta
        page.toc = get_toc([])
        return page

    def _print(self, page: Page) -> str:
        plugins, config, nav = self.config.plugins, self.config, self.nav
        context = get_context(nav, self.files.documentation_pages(), config, page)
        context = plugins.on_page_context(context, page=page, config=config, nav=nav)
        return str(self.env.get_template("main.html").render(context))


def all_known(config: "MkDocsConfig") -> bool:
    """Say whether nothing but the theme makes a page's HTML: no hook, no plugin unknown to us."""
    names = {name.removeprefix("material/") for name in config.plugins}
    return names <= _KNOWN and not config.hooks


def shell_key(config: "MkDocsConfig", nav: "Navigation", shell: Shell) -> str:
    """Return a digest of all that may change in a page while its own text does not."""
    found = hashlib.blake2b(shell.html.encode(), digest_size=16)
    found.update(repr([config.get(name) for name in _SETTINGS]).encode())
    theme = {name: sorted(v) if isinstance(v, set) else v for name, v in config.theme.items()}
    found.update(repr(sorted(theme.items())).encode())
    found.update(repr([(page.title, page.url) for page in nav.pages]).encode())
    for name in ("mkdocs", "mkdocs-material", "jinja2"):
        found.update(version(name).encode())
    for path in _files_of(config):
        found.update(path.read_bytes())
    return found.hexdigest()


def _files_of(config: "MkDocsConfig") -> Iterable[Path]:
    """Return the settings and the templates; of a package's own, its version tells."""
    own = [Path(folder) for folder in config.theme.dirs if "site-packages" not in folder]
    settings = [Path(config.config_file_path)] if config.config_file_path else []
    templates = [path for folder in own for path in folder.rglob("*.html")]
    return [*settings, *sorted(templates)]
