"""Builds sites with the real MkDocs from libraries made in memory."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from filelock import FileLock
from jinja2 import BytecodeCache, Environment, Template
from jinja2.bccache import Bucket
from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.theme import Theme

from calmkb.model import Library
from calmkb.templating import templates_dir
from calmkb.wings.site.mkdocs_plugin import CalmkbPlugin
from tests.wings.site.hostile import hostile_library
from tests.wings.site.sample import LIBRARY

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.wings.site.browsing import Watch

Build = Callable[..., Path]
Shared = Callable[[str], Path]
SITES: dict[str, tuple[Callable[[], Library], bool, dict[str, str]]] = {
    "sample": (lambda: LIBRARY, False, {}),
    "addressed": (lambda: LIBRARY, False, {"site_url": "https://example.org/team/kb/"}),
    "offline": (lambda: LIBRARY, True, {}),
    "hostile": (hostile_library, False, {}),
}
"""Sites that several files of tests read: what they hold, for a disk or not, and settings."""


class Compiled(BytecodeCache):
    """The templates of themes, compiled once in a process: for each build that is half its time."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], Any] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self._kept.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._kept[bucket.key, bucket.checksum] = bucket.code


def _environment(theme: Theme, of: Callable[[Theme], Environment] = Theme.get_env) -> Environment:
    environment = of(theme)
    environment.bytecode_cache = COMPILED
    return environment


COMPILED = Compiled()
Theme.get_env = _environment  # type: ignore[method-assign]


@pytest.fixture(scope="module")
def build_site(tmp_path_factory: pytest.TempPathFactory) -> Build:
    """Return a function that scaffolds a knowledge base and builds it, strictly."""

    def run(
        library: Library, *, pages: dict[str, str] | None = None, extra: str = "", **options: object
    ) -> Path:
        folder = tmp_path_factory.mktemp("kb")
        scaffold(folder, extra)
        for name, text in (pages or {}).items():
            (folder / "docs" / name).write_text(text, encoding="utf-8")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(CalmkbPlugin, "read", lambda self, config: library)
            build(load_config(str(folder / "mkdocs.yml"), strict=True, **options))
        return folder / "site"

    return run


@pytest.fixture(scope="module")
def browser() -> "Iterator[Browser]":
    """A real browser; not for the whole run, since other tests have loops of their own."""
    from tests.wings.site.browsing import chromium

    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def address(shared_site: Shared, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the site of the sample is served, below a sub-path."""
    from tests.wings.site.browsing import below_a_sub_path

    yield from below_a_sub_path(shared_site("addressed"), tmp_path_factory.mktemp("www"))


@pytest.fixture(scope="module")
def watched(browser: "Browser", address: str) -> "Iterator[Watch]":
    """One tab for the tests of a file: a new one would read and compile all scripts again."""
    from tests.wings.site.browsing import DESK, Watch

    page = browser.new_page(viewport=DESK)
    yield Watch(page, address)
    page.close()


@pytest.fixture
def tab(watched: "Watch") -> "Iterator[Page]":
    """The tab at the front page, with nothing stored; a fault in it fails the test."""
    page = watched.page
    page.goto(watched.home)
    yield page
    page.evaluate("localStorage.clear(), sessionStorage.clear()")
    page.context.clear_permissions()
    page.goto("about:blank")
    faults = watched.faults[:]
    watched.faults.clear()
    assert faults == []


@pytest.fixture(scope="module")
def without_index(build_site: Build, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where every kind of page is, without the index that each would read and sort as it loads."""
    from tests.wings.site.browsing import walked

    yield from walked(build_site, tmp_path_factory)


@pytest.fixture(scope="module")
def shared_site(build_site: Build, tmp_path_factory: pytest.TempPathFactory) -> Shared:
    """Return a function that returns a site by its name in `SITES`: built once, only to be read."""

    def run(name: str) -> Path:
        library, offline, options = SITES[name]

        def made() -> Path:
            with pytest.MonkeyPatch.context() as patch:
                if offline:
                    patch.setenv("OFFLINE", "true")
                return build_site(library(), **options)

        return built_once(name, made, tmp_path_factory)

    return run


def built_once(name: str, make: Callable[[], Path], factory: pytest.TempPathFactory) -> Path:
    """Return the folder `name` that `make` made, once a run for all workers; only to be read."""
    base = factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / name
    with FileLock(f"{folder}.lock"):
        if not folder.exists():
            make().rename(folder)
    return folder


def scaffold(folder: Path, extra: str = "") -> None:
    """Write what a new knowledge base gets: mkdocs.yml and docs/about.md."""
    templates = templates_dir() / "site"
    settings = Template((templates / "mkdocs.yml.j2").read_text(encoding="utf-8"))
    (folder / "mkdocs.yml").write_text(settings.render(site_name="Example team") + "\n" + extra)
    (folder / "docs").mkdir()
    (folder / "docs" / "about.md").write_text((templates / "about.md.j2").read_text("utf-8"))
