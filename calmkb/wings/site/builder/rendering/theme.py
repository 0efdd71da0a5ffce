"""The theme of a site: its page without any record, its digest, and how a page is finished."""

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from mkdocs.commands.build import get_context
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.pages import Page
from mkdocs.structure.toc import get_toc

from calmkb.wings.site.pages.page import SAME_FRONT_MATTER
from calmkb.wings.site.text.shell import Shell, parsed, with_policy

if TYPE_CHECKING:
    from jinja2 import Environment
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.nav import Navigation

_SETTINGS = (
    *("site_name", "site_url", "site_author", "site_description", "repo_url", "repo_name"),
    *("edit_uri", "copyright", "use_directory_urls", "extra", "extra_css", "extra_javascript"),
)
_KNOWN = {"calmkb", "search", "tags", "offline", "info"}
"""Plugins, with or without `material/`, that leave a page from records as the theme rendered it."""

_BETWEEN_TAGS = re.compile(r">\s*\n\s*<")


@dataclass
class Theme:
    """The theme, as it renders pages of this build; `policy` whether they carry one."""

    env: "Environment"
    nav: "Navigation"
    files: Files
    config: "MkDocsConfig"
    policy: bool

    @cached_property
    def shell(self) -> Shell:
        """A page that no record wrote any part of."""
        page = self._page("blank.md", SAME_FRONT_MATTER | {"title": "blank"}, "<h1>blank</h1>")
        return Shell(squeezed(self._render(page), "<h1>blank</h1>"))

    def finished(self, html: str, page: Page) -> str:
        """Return a rendered page as it goes to the reader.

        Raises PluginError where it contains HTML that no record may bring in.
        """
        html = squeezed(html, page.content or "")
        tree = parsed(html)
        if faults := self.shell.faults(tree):
            raise PluginError(
                f"{page.file.src_uri} contains disallowed HTML: {faults[0]}. "
                "Nothing was published; please report it with the record."
            )
        return with_policy(html, self.shell.policy(tree)) if self.policy else html

    @cached_property
    def digest(self) -> str:
        """A digest of all that may change in a page while its own text does not."""
        config = self.config
        found = hashlib.blake2b(self.shell.html.encode(), digest_size=16)
        found.update(repr([self.policy, *(config.get(name) for name in _SETTINGS)]).encode())
        theme = {name: sorted(v) if isinstance(v, set) else v for name, v in config.theme.items()}
        found.update(repr(sorted(theme.items())).encode())
        found.update(repr([(page.title, page.url) for page in self.nav.pages]).encode())
        for path in _files_of(config):
            found.update(path.read_bytes())
        return found.hexdigest()

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


def squeezed(html: str, content: str) -> str:
    """Return the page without the blank lines and indents between the theme's tags.

    They are a fifth of a short page. What is in `content` is left as it is.
    """
    if not content or html.count(content) != 1:
        return html
    before, after = html.split(content)
    return _BETWEEN_TAGS.sub(">\n<", before) + content + _BETWEEN_TAGS.sub(">\n<", after)


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
