"""What calmkb adds to a site around its pages: looks, marks, the doors of the navigation."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from mkdocs.structure.files import File, Files, InclusionLevel

from calmkb.templating import templates_dir

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig

STYLES, LOGO = ("assets/calmkb.css", "assets/calmkb-pictures.css"), "assets/calmkb.svg"
OFFLINE_WORKER = "assets/calmkb-iframe-worker.js"
ASSETS = (*STYLES, LOGO, OFFLINE_WORKER)
EXTENSIONS = ("attr_list", "md_in_html")
NAV = (
    ("Home", "index.md"),
    ("Sessions", "sessions/index.md"),
    ("Friction", "friction.md"),
    ("Memories", "memories/index.md"),
    ("Reflections", "reflections/index.md"),
    ("Improvements", "improvements.md"),
    ("What agents are told", "told.md"),
)


def add_looks(config: "MkDocsConfig") -> None:
    """Add our theme folder, style sheets, marks and extensions, each below the user's own."""
    ours = str(templates_dir() / "site" / "overrides")
    if ours not in config.theme.dirs:
        config.theme.dirs.insert(1 if config.theme.custom_dir else 0, ours)
    config.extra_css[:0] = [style for style in STYLES if style not in config.extra_css]
    _add_marks(config)
    _keep_search_at_home(config)
    for extension in EXTENSIONS:
        if extension not in config.markdown_extensions:
            config.markdown_extensions.append(extension)


def add_assets(files: Files, config: "MkDocsConfig") -> None:
    """Add our style sheets and marks, unless the user has files of these names."""
    for uri in ASSETS:
        if files.get_file_from_path(uri) is None:
            source = str(templates_dir() / "site" / uri)
            inclusion = InclusionLevel.NOT_IN_NAV
            files.append(File.generated(config, uri, abs_src_path=source, inclusion=inclusion))


def navigation(files: Files, own: Iterable[str]) -> list[Any]:
    """Return the doors of the site, then the user's own pages on the top floor of `docs`."""
    doors: list[Any] = [{title: uri} for title, uri in NAV if files.get_file_from_path(uri)]
    known = {uri for _, uri in NAV}
    return doors + sorted(uri for uri in own if "/" not in uri and uri not in known)


def _add_marks(config: "MkDocsConfig") -> None:
    if config.theme.get("favicon") == "assets/images/favicon.png":
        config.theme["favicon"] = LOGO
    if not config.theme.get("logo") and not (config.theme.get("icon") or {}).get("logo"):
        config.theme["logo"] = LOGO


def _keep_search_at_home(config: "MkDocsConfig") -> None:
    offline = config.plugins.get("material/offline") or config.plugins.get("offline")
    if offline and offline.config.get("enabled"):
        config.extra.setdefault("polyfills", []).append(OFFLINE_WORKER)
