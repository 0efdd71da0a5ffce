"""What calmkb adds to a site around its pages: style sheets, scripts, logo, navigation."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from calmkb.templating import templates_dir

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

STYLES, LOGO = ("assets/calmkb.css",), "assets/calmkb.svg"
SCRIPTS = ("assets/calmkb.js", "assets/calmkb-search.js")
OFFLINE_WORKER = "assets/calmkb-iframe-worker.js"
ASSETS = (*STYLES, *SCRIPTS, LOGO, OFFLINE_WORKER)
EXTENSIONS = ("attr_list", "md_in_html")


def add_looks(config: "MkDocsConfig") -> None:
    """Add our theme folder, styles, scripts, logo and extensions, each below the user's own."""
    ours = str(templates_dir() / "site" / "overrides")
    if ours not in config.theme.dirs:
        config.theme.dirs.insert(1 if config.theme.custom_dir else 0, ours)
    config.extra_css[:0] = [style for style in STYLES if style not in config.extra_css]
    config.extra_javascript[:0] = [one for one in SCRIPTS if one not in config.extra_javascript]
    _add_logo(config)
    _add_offline_worker(config)
    for extension in EXTENSIONS:
        if extension not in config.markdown_extensions:
            config.markdown_extensions.append(extension)


def add_assets(files: "Files", config: "MkDocsConfig") -> None:
    """Add our style sheets, scripts and logo, unless the user has files of these names."""
    from mkdocs.structure.files import File, InclusionLevel

    for uri in ASSETS:
        if files.get_file_from_path(uri) is None:
            source = str(templates_dir() / "site" / uri)
            inclusion = InclusionLevel.NOT_IN_NAV
            files.append(File.generated(config, uri, abs_src_path=source, inclusion=inclusion))


def navigation(staged: Iterable[tuple[str, str]], own: Iterable[str]) -> list[Any]:
    """Return the `nav` of the site: staged pages (title, address), then the user's own pages.

    Of the user's own, those in the top folder of `docs`.
    """
    titled = list(staged)
    taken = {uri for _, uri in titled}
    pages = sorted(uri for uri in own if "/" not in uri and uri not in taken)
    return [*({title: uri} for title, uri in titled), *pages]


def _add_logo(config: "MkDocsConfig") -> None:
    if config.theme.get("favicon") == "assets/images/favicon.png":
        config.theme["favicon"] = LOGO
    if not config.theme.get("logo") and not (config.theme.get("icon") or {}).get("logo"):
        config.theme["logo"] = LOGO


def _add_offline_worker(config: "MkDocsConfig") -> None:
    """Add our own worker for search from a folder: the offline plugin's lies on another host."""
    offline = config.plugins.get("material/offline") or config.plugins.get("offline")
    if offline and offline.config.get("enabled"):
        config.extra.setdefault("polyfills", []).append(OFFLINE_WORKER)
