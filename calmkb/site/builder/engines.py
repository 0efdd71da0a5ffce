"""What can build the site: an engine is one line in this table."""

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from calmkb.errors import CalmError
from calmkb.site.builder.build import Built, build_site
from calmkb.site.builder.zensical import build_with_zensical


class Engine(Protocol):
    """Brings the site of the knowledge base at `root` up to date."""

    def __call__(
        self, root: Path, *, state: Path, output: Path | None, strict: bool, rebuild: bool
    ) -> Built:
        """Return the site and how many of its files changed."""


def build_with(
    engine: str,
    root: Path,
    *,
    state: Path,
    output: Path | None = None,
    strict: bool = False,
    offline: bool = False,
    rebuild: bool = False,
) -> Built:
    """Build with the engine of that name; only MkDocs makes an offline copy."""
    if offline:
        if engine != "mkdocs":
            raise CalmError(f"{engine} makes no offline copy; leave out --engine or --offline")
        return build_site(
            root, state=state, output=output, strict=strict, offline=True, rebuild=rebuild
        )
    return ENGINES[engine](root, state=state, output=output, strict=strict, rebuild=rebuild)


ENGINES: Mapping[str, Engine] = {"mkdocs": build_site, "zensical": build_with_zensical}
