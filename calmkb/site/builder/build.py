"""The site built from our command line: what plain `mkdocs build` makes, and only what changed."""

import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from calmkb.errors import CalmError, StoreError
from calmkb.serve.mkdocs_plugin import CalmkbPlugin
from calmkb.site.builder.manifest import Manifest, manifest_of
from calmkb.site.builder.output import Moved, Output
from calmkb.store.git.repository import find_repository
from calmkb.system.safe_paths import check_place, follow_inside, is_below

_ABANDONED_SECONDS = 6 * 3600


@dataclass(frozen=True, slots=True)
class Built:
    """A site in `folder`: how many files changed, and which are there that calmkb did not build."""

    folder: Path
    changed: int
    left: tuple[str, ...] = ()


def build_site(
    root: Path,
    *,
    state: Path,
    output: Path | None = None,
    strict: bool = False,
    offline: bool = False,
    rebuild: bool = False,
) -> Built:
    """Bring the site of the knowledge base at `root` up to date; `anew` without what is cached.

    MkDocs builds into a folder beside it, from where what changed is moved into place: a build that
    fails or is killed leaves the site as it was. What was built is noted in the folder `state`.

    Raises CalmError where there is no mkdocs.yml, the site's folder may not be written or MkDocs
    refuses.
    """
    from mkdocs.exceptions import MkDocsException

    with _environment(OFFLINE="true" if offline else ""):
        try:
            config = load(root, output, strict=strict)
            manifest = manifest_of(Path(config.site_dir), state)
            config.plugins.on_startup(command="build", dirty=False)
            try:
                moved = build_into(config, manifest, rebuild=rebuild)
                return Built(manifest.folder, moved.changed, moved.left)
            finally:
                config.plugins.on_shutdown()
        except MkDocsException as error:
            raise CalmError(f"MkDocs could not build {root / 'mkdocs.yml'}: {error}") from error
        except OSError as error:
            raise CalmError(f"the site could not be written: {error}") from error


def load(root: Path, output: Path | None = None, **options: Any) -> Any:
    """Return the MkDocs configuration of the knowledge base at `root`.

    Raises CalmError where the settings name a folder outside the repository, or one behind a link;
    `output`, a folder that a person chose, may lie anywhere.
    """
    from mkdocs.config import load_config

    top = top_of(root)
    if output is not None:
        options["site_dir"] = str(output_place(output, top))
    config = load_config(str(config_file(root)), **options)
    _inside(config.docs_dir, "docs_dir", top, follow_inside)
    if output is None:
        config.site_dir = str(_inside(config.site_dir, "site_dir", top, check_place))
    return config


def top_of(root: Path) -> Path:
    """Return the folder that settings may name places in: the repository, else `root`."""
    repository = find_repository(root)
    return repository.top if repository else root


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


def build_into(
    config: Any, manifest: Manifest, *, serve_url: str | None = None, rebuild: bool = False
) -> Moved:
    """Build with `config` and bring the folder of `manifest` up to date; return what changed."""
    from mkdocs.commands.build import build

    manifest.refuse_foreign()
    plugin = next((one for one in config.plugins.values() if isinstance(one, CalmkbPlugin)), None)
    scratch = scratch_beside(manifest.folder)
    config.site_dir = str(scratch)
    try:
        if plugin is None:
            build(config, serve_url=serve_url)
            return Output(manifest, {}).settle(scratch)
        plugin.keep(manifest, rebuild=rebuild)
        build(config, serve_url=serve_url)
        return plugin.settle(scratch)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def scratch_beside(folder: Path) -> Path:
    """Return a new folder on the same disk, and remove what builds left that were killed."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    long_ago = time.time() - _ABANDONED_SECONDS
    for left in folder.parent.glob(f".{folder.name}-building-*"):
        if left.stat().st_mtime < long_ago:
            shutil.rmtree(left, ignore_errors=True)
    return Path(tempfile.mkdtemp(prefix=f".{folder.name}-building-", dir=folder.parent))


def config_file(root: Path) -> Path:
    """Return the settings of the site; CalmError where there are none."""
    path = root / "mkdocs.yml"
    if not path.is_file():
        raise CalmError(f"there is no {path}; make one with: calmkb init {root}")
    return path


@contextmanager
def _environment(**values: str) -> Iterator[None]:
    """Set variables that mkdocs.yml reads, and put back what stood there."""
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
