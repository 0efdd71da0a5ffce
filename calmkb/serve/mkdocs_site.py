"""MkDocs called from our command line: the same configuration as plain `mkdocs build`."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from calmkb.errors import CalmError


def build_site(
    root: Path, *, output: Path | None = None, strict: bool = False, offline: bool = False
) -> Path:
    """Build the site of the knowledge base at `root` and return its folder.

    Raises CalmError where there is no mkdocs.yml or MkDocs refuses.
    """
    from mkdocs.commands.build import build
    from mkdocs.config import load_config
    from mkdocs.exceptions import MkDocsException

    more: dict[str, Any] = {"strict": strict}
    if output:
        more["site_dir"] = str(output.resolve())
    with _environment(OFFLINE="true" if offline else ""):
        try:
            config = load_config(str(_config_file(root)), **more)
            config.plugins.on_startup(command="build", dirty=False)
            try:
                build(config)
            finally:
                config.plugins.on_shutdown()
        except MkDocsException as error:
            raise CalmError(f"MkDocs could not build {root / 'mkdocs.yml'}: {error}") from error
    return Path(config.site_dir)


def serve_site(root: Path, *, address: str) -> None:
    """Serve the site of the knowledge base at `root` until interrupted."""
    from mkdocs.commands.serve import serve
    from mkdocs.exceptions import MkDocsException

    try:
        serve(str(_config_file(root)), livereload=True, dev_addr=address)
    except MkDocsException as error:
        raise CalmError(f"MkDocs could not serve {root / 'mkdocs.yml'}: {error}") from error


def _config_file(root: Path) -> Path:
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
