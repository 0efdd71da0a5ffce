"""The stage as files: Markdown, looks and settings that MkDocs and Zensical build alike.

Zensical knows no plugins, so it is given what the plugin would have put in: the pages, the theme
folder, the style sheets, and the user's own settings with these added.
"""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, Any

import yaml

from calmkb.errors import CalmError
from calmkb.serve.mkdocs_plugin import CalmkbPlugin
from calmkb.site.builder.build import load, output_place, scratch_beside, top_of
from calmkb.site.builder.feeds import write_feed
from calmkb.site.builder.frame import ASSETS, EXTENSIONS, LOGO, NAV, STYLES
from calmkb.site.builder.manifest import Manifest, manifest_of
from calmkb.site.builder.output import Moved, Output, output_at
from calmkb.site.builder.staging import stage_pages
from calmkb.templating import templates_dir

if TYPE_CHECKING:
    from calmkb.site.builder.cache import SitePages

DOCS, THEME, SETTINGS = "docs", "theme", "mkdocs.yml"
BLANK = "calmkb-blank.md"
"""A page without a word of a record, which shows what the theme puts around each."""
_BLANK_TEXT = "---\ntitle: blank\ngenerated_by: calmkb\nsearch:\n  exclude: true\n---\n\n# Blank\n"


@dataclass(frozen=True, slots=True)
class StageFolder:
    """A stage in `folder`: the addresses of its staged pages, and how many files changed.

    `left` are files in it that calmkb did not write, and left alone.
    """

    folder: Path
    uris: tuple[str, ...]
    changed: int
    left: tuple[str, ...] = ()


@contextmanager
def cache_of(root: Path) -> Iterator["SitePages"]:
    """Open the cache of the site of the knowledge base at `root`."""
    config = load(root)
    pages = _plugin_of(config).open_cache(config)
    try:
        yield pages
    finally:
        pages.close()


def stage_into(root: Path, folder: Path, state: Path) -> StageFolder:
    """Bring the stage in `folder`, which a person chose, up to date.

    Raises CalmError as `write_stage` does, and where the folder is behind a link of the repository.
    """
    manifest = manifest_of(output_place(folder, top_of(root)), state)
    with cache_of(root) as pages:
        return write_stage(root, manifest, pages)


def write_stage(root: Path, manifest: Manifest, pages: "SitePages") -> StageFolder:
    """Bring the stage of the knowledge base at `root` up to date in the folder of `manifest`.

    Raises CalmError where that holds something else, or there is no mkdocs.yml.
    """
    config, folder = load(root), manifest.folder
    plugin = _plugin_of(config)
    manifest.refuse_foreign()
    library = plugin.load(plugin.root_of(config))
    staging = stage_pages(library, pages)
    output = output_at(manifest, pages)
    scratch = scratch_beside(folder)
    try:
        own = dict(_own_files(config, scratch / DOCS))
        uris = [uri for uri in staging.fingerprints if _place(uri, config) not in own]
        keys = {f"{DOCS}/{uri}": staging.fingerprints[uri] for uri in uris}
        kept = {path for path, key in keys.items() if output.stands(path, key)}
        for uri in uris:
            if f"{DOCS}/{uri}" not in kept:
                _put(scratch / DOCS / uri, pages.text(uri))
        _put(scratch / DOCS / BLANK, _BLANK_TEXT)
        write_feed(config, library, scratch / DOCS)
        _write_looks(config, scratch, set(own.values()))
        _put(scratch / SETTINGS, _settings(config, uris, list(own.values())))
        moved = _settle(output, scratch, kept, keys)
        pages.save_outputs(folder, output.rows())
        return StageFolder(folder, tuple(uris), moved.changed, moved.left)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _plugin_of(config: Any) -> CalmkbPlugin:
    for plugin in config.plugins.values():
        if isinstance(plugin, CalmkbPlugin):
            return plugin
    raise CalmError(f"{config.config_file_path} does not name the plugin calmkb under `plugins:`")


def _settle(output: Output, scratch: Path, kept: set[str], keys: dict[str, str]) -> Moved:
    output.finish(kept, keys, "")
    return output.settle(scratch)


def _own_files(config: Any, docs: Path) -> Iterator[tuple[str, str]]:
    """Copy the user's files to the stage and yield where each is built, and what it is called."""
    from mkdocs.structure.files import get_files

    for file in get_files(config):
        if file.inclusion.is_included():  # type: ignore[no-untyped-call]
            target = docs / file.src_uri
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(str(file.abs_src_path), target)
            yield file.dest_uri, file.src_uri


def _place(uri: str, config: Any) -> str:
    from mkdocs.structure.files import File

    return str(File(uri, None, "", config.use_directory_urls).dest_uri)


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


def _settings(config: Any, staged: list[str], own: list[str]) -> str:
    """Return the user's settings with what the plugin adds to them."""
    from mkdocs.utils.yaml import yaml_load

    with Path(config.config_file_path).open("rb") as file:
        found = yaml_load(file)
    theme = found.get("theme") or "mkdocs"
    theme = {"name": theme} if isinstance(theme, str) else dict(theme)
    theme = {"favicon": LOGO, "variant": "classic"} | theme | {"custom_dir": THEME}
    if "logo" not in theme and "logo" not in (theme.get("icon") or {}):
        theme["logo"] = LOGO
    plugins = found.get("plugins") or []
    found |= {
        "theme": theme,
        "docs_dir": DOCS,
        "site_dir": "site",
        "plugins": [*(one for one in plugins if _name(one) not in _OURS), "calmkb-stage"],
        "extra_css": [*STYLES, *(found.get("extra_css") or [])],
        "markdown_extensions": _with(found.get("markdown_extensions") or []),
        "not_in_nav": "*",
    }
    if not found.get("nav"):
        doors = [(title, uri) for title, uri in NAV if uri in staged or uri in own]
        named = {uri for _, uri in doors}
        rest = sorted(u for u in own if "/" not in u and u.endswith(".md") and u not in named)
        found["nav"] = [*({title: uri} for title, uri in doors), *rest]
    return str(yaml.dump(found, Dumper=_Dumper, sort_keys=False, allow_unicode=True))


_OURS = ("calmkb", "offline", "material/offline")


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
