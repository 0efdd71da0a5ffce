"""The stage as files: Markdown, looks and settings that MkDocs and Zensical build alike.

Zensical knows no plugins, so both are given what the plugin would have put in: the pages, the theme
folder, the style sheets, and the user's own settings with these added.
"""

import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import FunctionType
from typing import Any

import yaml

from calmkb.templating import templates_dir
from calmkb.wings.site.builder.build import PLUGIN, SiteFolders, load, output_place
from calmkb.wings.site.builder.cache import stage_pages
from calmkb.wings.site.builder.looks import ASSETS, EXTENSIONS, LOGO, SCRIPTS, STYLES, navigation
from calmkb.wings.site.builder.output import Built, output_at, scratch_beside

DOCS, THEME, SETTINGS = "docs", "theme", "mkdocs.yml"
_REPLACED_PLUGINS = (PLUGIN, "offline", "material/offline")


def stage_into(site: SiteFolders, folder: Path) -> tuple[Built, int]:
    """Bring the stage in `folder`, which a person chose, up to date; say how many pages are ours.

    Raises CalmError where that holds something else or is behind a link of the repository, or there
    is no mkdocs.yml.
    """
    from mkdocs.structure.files import File

    output = output_at(output_place(folder, site.top), site.state)
    config = load(site)
    output.refuse_foreign()
    plugin = config.plugins[PLUGIN]
    with closing(plugin.open_cache(config)) as pages, scratch_beside(output.folder) as scratch:
        staging = stage_pages(plugin.read(config), pages)
        own = dict(_own_files(config, scratch / DOCS))
        files = [File(one, None, "", config.use_directory_urls) for one in staging.fingerprints]
        uris = [file.src_uri for file in files if file.dest_uri not in own]
        keys = {f"{DOCS}/{uri}": staging.fingerprints[uri] for uri in uris}
        kept = frozenset(path for path, key in keys.items() if output.is_current(path, key))
        for uri in uris:
            if f"{DOCS}/{uri}" not in kept:
                _put(scratch / DOCS / uri, pages.text(uri))
        _write_looks(config, scratch, set(own.values()))
        there = {*uris, *own.values()}
        nav = navigation(
            [pair for pair in staging.nav if pair[1] in there],
            [uri for uri in own.values() if uri.endswith(".md")],
        )
        _put(scratch / SETTINGS, _settings(config, nav))
        return output.publish(scratch, kept, keys), len(uris)


def _own_files(config: Any, docs: Path) -> Iterator[tuple[str, str]]:
    """Copy the user's files to the stage and yield where each is built, and what it is called."""
    from mkdocs.structure.files import get_files

    for file in get_files(config):
        if file.inclusion.is_included():  # type: ignore[no-untyped-call]
            target = docs / file.src_uri
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(str(file.abs_src_path), target)
            yield file.dest_uri, file.src_uri


def _write_looks(config: Any, scratch: Path, own: set[str]) -> None:
    """Put our style sheets and theme folder below the user's own."""
    site = templates_dir() / "site"
    for uri in ASSETS:
        if uri not in own:
            _put(scratch / DOCS / uri, (site / uri).read_text(encoding="utf-8"))
    shutil.copytree(site / "overrides", scratch / THEME, dirs_exist_ok=True)
    if config.theme.custom_dir:
        shutil.copytree(config.theme.custom_dir, scratch / THEME, dirs_exist_ok=True)


def _put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")


def _settings(config: Any, nav: list[Any]) -> str:
    """Return the user's settings with what the plugin adds to them."""
    from mkdocs.utils.yaml import yaml_load

    with Path(config.config_file_path).open("rb") as file:
        found = yaml_load(file)
    theme = found.get("theme") or "mkdocs"
    theme = {"name": theme} if isinstance(theme, str) else dict(theme)
    theme = {"favicon": LOGO, "variant": "classic"} | theme | {"custom_dir": THEME}
    if "logo" not in theme and "logo" not in (theme.get("icon") or {}):
        theme["logo"] = LOGO
    plugins = [one for one in found.get("plugins") or [] if _name(one) not in _REPLACED_PLUGINS]
    found |= {
        "theme": theme,
        "docs_dir": DOCS,
        "site_dir": "site",
        "plugins": [*plugins, "calmkb-stage"],
        "extra_css": [*STYLES, *(found.get("extra_css") or [])],
        "extra_javascript": [*SCRIPTS, *(found.get("extra_javascript") or [])],
        "markdown_extensions": _with(found.get("markdown_extensions") or []),
        "not_in_nav": "*",
        "nav": found.get("nav") or nav,
    }
    return str(yaml.dump(found, Dumper=_Dumper, sort_keys=False, allow_unicode=True))


def _name(plugin: Any) -> str:
    return str(next(iter(plugin))) if isinstance(plugin, dict) else str(plugin)


def _with(extensions: list[Any] | dict[str, Any]) -> list[Any]:
    found = [{k: v} for k, v in extensions.items()] if isinstance(extensions, dict) else extensions
    names = {_name(one) for one in found}
    return [*found, *(name for name in EXTENSIONS if name not in names)]


class _Dumper(yaml.SafeDumper):
    """Writes the functions that settings name as the names they came from."""


def _named(dumper: yaml.SafeDumper, value: Any) -> yaml.Node:
    return dumper.represent_scalar(
        f"tag:yaml.org,2002:python/name:{value.__module__}.{value.__qualname__}", ""
    )


_Dumper.add_representer(FunctionType, _named)
_Dumper.add_representer(type, _named)
