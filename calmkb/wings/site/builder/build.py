"""The site built from our command line: what plain `mkdocs build` makes, and only what changed."""

import logging
import os
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

from calmkb.errors import CalmError, StoreError
from calmkb.redact.invisible import show_invisible
from calmkb.store.git.repository import find_repository
from calmkb.store.git.trees import is_ignored
from calmkb.system.paths import leads_elsewhere
from calmkb.system.safe_paths import check_place, follow_inside, is_below
from calmkb.wings.site.builder.output import Built, Output, output_at, scratch_beside

if TYPE_CHECKING:
    from calmkb.wings.site.mkdocs_plugin import Given

PLUGIN = "calmkb"


@dataclass(frozen=True, slots=True)
class SiteFolders:
    """Where the knowledge base is whose site is built, and where what is built is recorded.

    `top` is the folder that settings may name places in: the repository's, else `root` itself.
    """

    root: Path
    top: Path
    state: Path


def build_site(
    site: SiteFolders,
    *,
    output: Path | None = None,
    strict: bool = False,
    offline: bool = False,
    rebuild: bool = False,
    given: "Given | None" = None,
    silent: Callable[[Output], None] | None = None,
) -> Built:
    """Bring the site of a knowledge base up to date; with `rebuild` nothing cached is used.

    What is `given` is not read. `silent` is called at the end of a build in which nobody warned.

    MkDocs builds into a folder beside it, from where what changed is moved into place: a build that
    fails or is killed leaves the site as it was.

    Raises CalmError where there is no mkdocs.yml, the site's folder may not be written or MkDocs
    refuses.
    """
    with faults_in_words(site) as told, _environment(offline):
        config = load(site, output, strict=strict)
        target = output_at(Path(config.site_dir), site.state, rebuild=rebuild)
        config.plugins.on_startup(command="build", dirty=False)
        try:
            built = build_into(config, target, given)
            if silent and not told.count:
                silent(target)
            return built
        finally:
            config.plugins.on_shutdown()


class Told(logging.StreamHandler[Any]):
    """Says on standard error what MkDocs warns of, and counts it; a clone's words hide nothing."""

    count = 0

    def format(self, record: logging.LogRecord) -> str:
        """Return the message of a warning."""
        self.count += 1
        return show_invisible(super().format(record))


@contextmanager
def faults_in_words(site: SiteFolders) -> Iterator[Told]:
    """Turn what MkDocs, a theme or an extension raises into a CalmError, and tell its warnings."""
    from mkdocs.exceptions import MkDocsException

    told, log = Told(), logging.getLogger("mkdocs")
    told.setLevel(logging.WARNING)
    log.addHandler(told)
    try:
        yield told
    except CalmError:
        raise
    except OSError as error:
        raise CalmError(f"the site could not be written: {error}") from error
    except Exception as error:
        *_, (frame, _line) = traceback.walk_tb(error.__traceback__)
        if frame.f_globals.get("__name__", "").startswith("calmkb."):
            raise
        kind = "" if isinstance(error, MkDocsException) else f"{type(error).__name__}: "
        words = f"MkDocs could not build {config_file(site.root)}: {kind}{error}"
        raise CalmError(words) from error
    finally:
        log.removeHandler(told)


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
    config: Any, output: Output, given: "Given | None" = None, *, serve_url: str | None = None
) -> Built:
    """Build with `config` and bring the folder of `output` up to date; return what changed."""
    from mkdocs.commands.build import build

    output.refuse_foreign()
    plugin = config.plugins[PLUGIN]
    with scratch_beside(output.folder) as scratch:
        config.site_dir = str(scratch)
        plugin.build_for(output, given)
        build(config, serve_url=serve_url)
        built: Built = plugin.publish(scratch)
        return built


def config_file(root: Path) -> Path:
    """Return the settings of the site; CalmError where there are none."""
    path = root / "mkdocs.yml"
    if not path.is_file():
        raise CalmError(f"there is no {path}; make one with: calmkb init {quote(str(root))}")
    return path


@contextmanager
def _environment(offline: bool) -> Iterator[None]:
    """Set the variable that mkdocs.yml reads for an offline copy, and restore what it was."""
    before = os.environ.get("OFFLINE")
    os.environ |= {"OFFLINE": "true"} if offline else {}
    try:
        yield
    finally:
        if offline:
            del os.environ["OFFLINE"]
            os.environ |= {} if before is None else {"OFFLINE": before}
