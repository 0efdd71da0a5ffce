"""The theme of a site: its page without any record's text, its page templates, its digest."""

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
    PLACEHOLDERS,
    PageTemplate,
    squeezed,
    template_of,
    values_of,
)
from calmkb.site.pages.page import SAME_FRONT_MATTER
from calmkb.site.text.shell import Shell, parsed, with_policy

if TYPE_CHECKING:
    from jinja2 import Environment
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.nav import Navigation

    from calmkb.site.builder.rendering.staged_page import StagedPage

_SETTINGS = (
    *("site_name", "site_url", "site_author", "site_description", "repo_url", "repo_name"),
    *("edit_uri", "copyright", "use_directory_urls", "extra", "extra_css", "extra_javascript"),
)
_KNOWN = {"calmkb", "search", "tags", "offline", "info"}
"""Plugins, with or without `material/`, that leave a page from records as the theme rendered it."""

_OPTIONAL = ("description", "record_file")
"""What the front matter of a staged page may have beside its title."""


@dataclass
class Theme:
    """The theme, as it renders pages of this build; `policy` whether they carry one."""

    env: "Environment"
    nav: "Navigation"
    files: Files
    config: "MkDocsConfig"
    policy: bool
    templates: dict[str, PageTemplate] = field(default_factory=dict)

    @cached_property
    def shell(self) -> Shell:
        """A page that no record wrote any part of."""
        page = self._page("blank.md", SAME_FRONT_MATTER | {"title": "blank"}, "<h1>blank</h1>")
        return Shell(squeezed(self._render(page), "<h1>blank</h1>"))

    @cached_property
    def nav_folders(self) -> frozenset[str]:
        """The folders of pages in the navigation: links there are shorter from inside."""
        paths = (page.url.split("/")[:-1] for page in self.nav.pages)
        return frozenset("/".join(path[:n]) for path in paths for n in range(1, len(path) + 1))

    def template_name(self, page: "StagedPage") -> str:
        """Return the name of the template for a page: all that the theme's part depends on."""
        front = f"\n{page.file.front_matter}"
        given = "+".join(name for name in _OPTIONAL if f"\n{name}: " in front)
        path = page.url.split("/")[:-1]
        parents = ("/".join(path[:n]) for n in range(len(path), 0, -1))
        nav_folder = next((folder for folder in parents if folder in self.nav_folders), "")
        return f"{given or 'plain'} {page.url.count('/')} {nav_folder}"

    def fits(self, page: "StagedPage") -> bool:
        """Whether the template for a page gives what the theme itself renders; made if missing."""
        name = self.template_name(page)
        template = self.templates.get(name) or self._template(name.split()[0].split("+"), page)
        if template is None:
            return False
        self.templates[name] = template
        page.load()
        rendered = self.finished(self._render(page), page)
        values = values_of(page.meta, page.canonical_url, page.content or "")
        page.skip()
        return template.fill(values) == rendered

    def finished(self, html: str, page: Page) -> str:
        """Return a rendered page as it goes to the reader."""
        html = squeezed(html, page.content or "")
        return with_policy(html, self.shell.policy(parsed(html))) if self.policy else html

    def digest(self) -> str:
        """Return a digest of all that may change in a page while its own text does not."""
        config = self.config
        found = hashlib.blake2b(self.shell.html.encode(), digest_size=16)
        found.update(repr([self.policy, *(config.get(name) for name in _SETTINGS)]).encode())
        theme = {name: sorted(v) if isinstance(v, set) else v for name, v in config.theme.items()}
        found.update(repr(sorted(theme.items())).encode())
        found.update(repr([(page.title, page.url) for page in self.nav.pages]).encode())
        for name in ("mkdocs", "mkdocs-material", "jinja2"):
            found.update(version(name).encode())
        for path in _files_of(config):
            found.update(path.read_bytes())
        return found.hexdigest()

    def _template(self, given: list[str], page: "StagedPage") -> PageTemplate | None:
        folder = page.file.src_uri.rpartition("/")[0]
        name = "index.md" if page.file.name == "index" else "x.md"
        meta = SAME_FRONT_MATTER | {"title": PLACEHOLDERS["title"]}
        meta |= {name: PLACEHOLDERS[name] for name in given if name in _OPTIONAL}
        blank = self._page(f"{folder}/{name}".lstrip("/"), meta, PLACEHOLDERS["content"])
        if blank.canonical_url:
            blank.canonical_url = PLACEHOLDERS["canonical"]
        return template_of(self.finished(self._render(blank), blank))

    def _page(self, uri: str, meta: dict[str, object], content: str) -> Page:
        inclusion = InclusionLevel.NOT_IN_NAV
        file = File.generated(self.config, uri, content="", inclusion=inclusion)
        page = Page(None, file, self.config)
        page.markdown, page.content, page.meta = "", content, meta
        page.toc = get_toc([])
        return page

    def _render(self, page: Page) -> str:
        plugins, config, nav = self.config.plugins, self.config, self.nav
        context = get_context(nav, self.files.documentation_pages(), config, page)
        context = plugins.on_page_context(context, page=page, config=config, nav=nav)
        return str(self.env.get_template("main.html").render(context))


def has_only_known_plugins(config: "MkDocsConfig") -> bool:
    """Whether nothing but the theme makes a page's HTML: no hook, no plugin unknown to us."""
    names = {name.removeprefix("material/") for name in config.plugins}
    return names <= _KNOWN and not config.hooks


def _files_of(config: "MkDocsConfig") -> Iterable[Path]:
    """Return the settings and the templates; a package's own are known by its version."""
    own = [Path(folder) for folder in config.theme.dirs if "site-packages" not in folder]
    settings = [Path(config.config_file_path)] if config.config_file_path else []
    templates = [path for folder in own for path in folder.rglob("*.html")]
    return [*settings, *sorted(templates)]
