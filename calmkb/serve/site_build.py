"""The site built from our command line: what plain `mkdocs build` makes, and only what changed."""

import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from calmkb.errors import CalmError
from calmkb.serve.mkdocs_plugin import CalmkbPlugin
from calmkb.serve.site_output import Output

_ABANDONED_SECONDS = 6 * 3600
_MARKS = ("index.html", "404.html")
"""What every site has on its top floor."""


@dataclass(frozen=True, slots=True)
class Built:
    """A site in `folder`, of which `changed` files were written or removed."""

    folder: Path
    changed: int


def build_site(
    root: Path,
    *,
    output: Path | None = None,
    strict: bool = False,
    offline: bool = False,
    anew: bool = False,
) -> Built:
    """Bring the site of the knowledge base at `root` up to date; `anew` without what is cached.

    MkDocs builds into a folder beside it, from where what changed is moved into place: a build that
    fails or is killed leaves the site as it was.

    Raises CalmError where there is no mkdocs.yml or MkDocs refuses.
    """
    from mkdocs.exceptions import MkDocsException

    with _environment(OFFLINE="true" if offline else ""):
        try:
            config = load(root, output, strict=strict)
            folder = Path(config.site_dir)
            config.plugins.on_startup(command="build", dirty=False)
            try:
                return Built(folder, build_into(config, folder, anew=anew))
            finally:
                config.plugins.on_shutdown()
        except MkDocsException as error:
            raise CalmError(f"MkDocs could not build {root / 'mkdocs.yml'}: {error}") from error
        except OSError as error:
            raise CalmError(f"the site could not be written: {error}") from error


def load(root: Path, output: Path | None = None, **options: Any) -> Any:
    """Return the MkDocs configuration of the knowledge base at `root`."""
    from mkdocs.config import load_config

    if output is not None:
        options["site_dir"] = str(output.resolve())
    return load_config(str(config_file(root)), **options)


def build_into(
    config: Any, folder: Path, *, serve_url: str | None = None, anew: bool = False
) -> int:
    """Build with `config` and bring `folder` up to date; return how many files changed."""
    from mkdocs.commands.build import build

    refuse_foreign(folder)
    plugin = next((one for one in config.plugins.values() if isinstance(one, CalmkbPlugin)), None)
    scratch = scratch_beside(folder)
    config.site_dir = str(scratch)
    try:
        if plugin is None:
            build(config, serve_url=serve_url)
            return Output(folder, {}).settle(scratch)
        plugin.keep(folder, anew=anew)
        build(config, serve_url=serve_url)
        return plugin.settle(scratch)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def refuse_foreign(folder: Path) -> None:
    """Raise CalmError where `folder` holds something else than a site: all in it is replaced."""
    if not folder.is_dir() or any((folder / name).is_file() for name in _MARKS):
        return
    if any(not path.name.startswith(".") for path in folder.iterdir()):
        raise CalmError(f"{folder} holds something else than a site; name a new or empty folder")


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
