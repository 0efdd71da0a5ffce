"""The site built from our command line: what plain `mkdocs build` makes, and only what changed."""

import os
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any, Protocol

from calmkb.errors import CalmError, StoreError
from calmkb.store.git.repository import find_repository
from calmkb.store.git.trees import is_ignored
from calmkb.system.paths import leads_elsewhere
from calmkb.system.safe_paths import check_place, follow_inside, is_below
from calmkb.wings.site.builder.output import Output, Published, output_at, scratch_beside

if TYPE_CHECKING:
    from calmkb.model import Library
    from calmkb.wings.site.builder.cache import SitePages

PLUGIN = "calmkb"


@dataclass(frozen=True, slots=True)
class SiteFolders:
    """Where the knowledge base is whose site is built, and where what is built is recorded.

    `top` is the folder that settings may name places in: the repository's, else `root` itself.
    """

    root: Path
    top: Path
    state: Path


@dataclass(frozen=True, slots=True)
class Built:
    """A site in `folder`: how many files changed, and which are there that calmkb did not build."""

    folder: Path
    changed: int
    left: tuple[str, ...] = ()


class SitePlugin(Protocol):
    """The plugin `calmkb` of a MkDocs configuration, as builds use it."""

    def read(self, config: Any) -> "Library":
        """Return the records of the knowledge base."""

    def open_cache(self, config: Any) -> "SitePages":
        """Open the cache of its staged pages."""

    def build_for(self, output: Output) -> None:
        """Let pages of `output` stay that would come out the same."""

    def publish(self, scratch: Path) -> Published:
        """Bring that folder up to date with what was built in `scratch`."""


def build_site(
    site: SiteFolders,
    *,
    output: Path | None = None,
    strict: bool = False,
    offline: bool = False,
    rebuild: bool = False,
) -> Built:
    """Bring the site of a knowledge base up to date; with `rebuild` nothing cached is used.

    MkDocs builds into a folder beside it, from where what changed is moved into place: a build that
    fails or is killed leaves the site as it was.

    Raises CalmError where there is no mkdocs.yml, the site's folder may not be written or MkDocs
    refuses.
    """
    with _environment(OFFLINE="true" if offline else ""), faults_in_words(site):
        config = load(site, output, strict=strict)
        target = output_at(Path(config.site_dir), site.state, rebuild=rebuild)
        config.plugins.on_startup(command="build", dirty=False)
        try:
            published = build_into(config, target)
            return Built(target.folder, published.changed, published.left)
        finally:
            config.plugins.on_shutdown()


@contextmanager
def faults_in_words(site: SiteFolders) -> Iterator[None]:
    """Turn what MkDocs, a theme or an extension raises into a CalmError; ours stays as it is."""
    from mkdocs.exceptions import MkDocsException

    try:
        yield
    except CalmError:
        raise
    except OSError as error:
        raise CalmError(f"the site could not be written: {error}") from error
    except Exception as error:
        *_, (frame, _line) = traceback.walk_tb(error.__traceback__)
        if frame.f_globals.get("__name__", "").startswith("calmkb."):
            raise
        kind = "" if isinstance(error, MkDocsException) else f"{type(error).__name__}: "
        raise CalmError(
            f"MkDocs could not build {config_file(site.root)}: {kind}{error}"
        ) from error


def load(site: SiteFolders, output: Path | None = None, **options: Any) -> Any:
    """Return the MkDocs configuration of the knowledge base.

    Raises CalmError where the settings do not name the plugin, or name a folder outside the
    repository or one behind a link; `output`, a folder that a person chose, may lie anywhere.
    """
    from mkdocs.config import load_config

    if output is not None:
        options["site_dir"] = str(output_place(output, site.top))
    config = load_config(str(config_file(site.root)), **options)
    if PLUGIN not in config.plugins:
        raise CalmError(
            f"{config.config_file_path} does not name the plugin calmkb, and the journal would "
            "not be on the site: add `- search` and `- calmkb` under `plugins:`"
        )
    check_links(_inside(config.docs_dir, "docs_dir", site.top, follow_inside))
    if output is None:
        config.site_dir = str(_inside(config.site_dir, "site_dir", site.top, check_place))
    return config


def check_links(docs: Path) -> None:
    """Raise StoreError on a link that leads out of `docs`, or to what is git's or it ignores."""
    repository = None
    for at, folders, names in os.walk(docs):
        for link in filter(leads_elsewhere, (os.path.join(at, one) for one in (*folders, *names))):  # noqa: PTH118
            real = follow_inside(Path(link), docs)
            repository = repository or find_repository(docs)
            if repository and is_ignored(repository, str(real)):
                raise StoreError(f"{link} is a link to {real}, which git ignores: remove the link")


def plugin_of(config: Any) -> SitePlugin:
    """Return the plugin `calmkb` of a configuration that `load` returned."""
    plugin: SitePlugin = config.plugins[PLUGIN]
    return plugin


def output_place(folder: Path, top: Path) -> Path:
    """Return a folder that a person named; StoreError on a link below `top`, or git's folder."""
    if is_below(folder, top):
        return check_place(folder, top)
    real = Path(os.path.realpath(folder))
    return check_place(real, Path(real.anchor))


def _inside(folder: str, setting: str, top: Path, check: Callable[[Path, Path], Path]) -> Path:
    try:
        return check(Path(folder), top)
    except StoreError as error:
        raise CalmError(f"mkdocs.yml: {setting}: {error}") from error


def build_into(config: Any, output: Output, *, serve_url: str | None = None) -> Published:
    """Build with `config` and bring the folder of `output` up to date; return what changed."""
    from mkdocs.commands.build import build

    output.refuse_foreign()
    plugin = plugin_of(config)
    with scratch_beside(output.folder) as scratch:
        config.site_dir = str(scratch)
        plugin.build_for(output)
        build(config, serve_url=serve_url)
        return plugin.publish(scratch)


def config_file(root: Path) -> Path:
    """Return the settings of the site; CalmError where there are none."""
    path = root / "mkdocs.yml"
    if not path.is_file():
        raise CalmError(f"there is no {path}; make one with: calmkb init {quote(str(root))}")
    return path


@contextmanager
def _environment(**values: str) -> Iterator[None]:
    """Set variables that mkdocs.yml reads, and restore what they were."""
    before = {name: os.environ.get(name) for name in values}
    os.environ.update({name: value for name, value in values.items() if value})
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
