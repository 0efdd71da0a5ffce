"""The theme's page without any record's text: what it loads, and what all pages depend on."""

import hashlib
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mkdocs.commands.build import get_context
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.pages import Page

from calmkb.site.shell import Shell

if TYPE_CHECKING:
    from jinja2 import Environment
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.nav import Navigation

_BLANK = "calmkb-blank-page.md"
_SETTINGS = (
    *("site_name", "site_url", "site_author", "site_description", "repo_url", "repo_name"),
    *("edit_uri", "copyright", "use_directory_urls", "extra", "extra_css", "extra_javascript"),
)


def shell_of(env: "Environment", nav: "Navigation", files: Files, config: "MkDocsConfig") -> Shell:
    """Return a page of the theme that no record wrote any part of."""
    file = File.generated(config, _BLANK, content="", inclusion=InclusionLevel.NOT_IN_NAV)
    page = Page(None, file, config)
    page.markdown, page.content = "", ""
    page.meta = {"title": "blank", "hide": ["navigation", "toc"], "search": {"exclude": True}}
    context = get_context(nav, files.documentation_pages(), config, page)
    context = config.plugins.on_page_context(context, page=page, config=config, nav=nav)
    output = env.get_template("main.html").render(context)
    return Shell(config.plugins.on_post_page(output, page=page, config=config))


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
    templates: list[Any] = [path for folder in own for path in folder.rglob("*.html")]
    return [*settings, *sorted(templates)]
