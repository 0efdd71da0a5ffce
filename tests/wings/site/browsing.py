"""A real browser, a real server, and the pages to walk: one of each kind there is."""

import functools
import json
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from calmkb.model import Library
from calmkb.templating import templates_dir
from calmkb.wings.site.builder.rendering.markdown import url_of
from calmkb.wings.site.content.catalogue import Catalogue
from calmkb.wings.site.pages.table import pages
from tests.wings.site import sample
from tests.wings.site.conftest import Build, built_once

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--no-first-run"),
)
SUB_PATH = "team/kb"
PHONE = {"width": 390, "height": 844}
DESK = {"width": 1280, "height": 800}
BROWSER = [
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on PATH"),
    pytest.mark.xdist_group("browser"),
]
LEFT = "net::ERR_ABORTED"
_LONG_AGO = datetime(2026, 1, 5, 9, tzinfo=UTC)


class QuietHandler(SimpleHTTPRequestHandler):
    """Serves files as a host of static sites does: its own page where there is none."""

    def __init__(self, *args: Any, missing: str = "", **options: Any) -> None:
        self._missing = missing
        super().__init__(*args, **options)

    def log_message(self, *args: object) -> None:
        pass

    def end_headers(self) -> None:
        """Let the browser keep what every page loads, for as long as GitHub Pages does."""
        self.send_header("Cache-Control", "max-age=600")
        super().end_headers()

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        if code != HTTPStatus.NOT_FOUND or not self._missing or "json" in self.path:
            super().send_error(code, message, explain)
            return
        text = (Path(self.directory) / self._missing).read_bytes()
        self.send_response(code)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)


def serve(folder: Path, *, missing: str = "") -> Iterator[str]:
    handler = functools.partial(QuietHandler, directory=folder, missing=missing)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@contextmanager
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


def below_a_sub_path(built: Path, root: Path) -> Iterator[str]:
    """Serve a site, or a link to it, as a team's git host would."""
    (root / SUB_PATH).parent.mkdir(parents=True)
    (root / SUB_PATH).symlink_to(built)
    for base in serve(root):
        yield f"{base}/{SUB_PATH}/"


def without_search(built: Path) -> Path:
    """Empty the site's search index: each page makes an index of all its words as it loads."""
    path = next(built.glob("search/search_index.js*"))  # a script in a copy for a disk
    before, brace, index = path.read_text(encoding="utf-8").partition("{")
    emptied = json.loads(brace + index) | {"docs": []}
    path.write_text(before + json.dumps(emptied), encoding="utf-8")
    return built


def walked(build_site: Build, factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve the site of `walk_library`, built once however many files of tests walk it."""
    address = f"https://example.org/{SUB_PATH}/"

    def made() -> Path:
        return without_search(build_site(walk_library(), site_url=address))

    yield from below_a_sub_path(built_once("walked", made, factory), factory.mktemp("www"))


@dataclass
class Watch:
    """What went wrong in a tab: the console complained, a request failed or left the site."""

    page: Page
    home: str
    faults: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        note = self.faults.append
        self.page.on("dialog", lambda dialog: (note(dialog.message), dialog.dismiss()))
        self.page.on("console", lambda m: note(m.text) if m.type in ("error", "warning") else None)
        self.page.on("pageerror", lambda error: note(str(error)))
        self.page.on("request", lambda r: None if r.url.startswith(self.home) else note(r.url))
        # A page that is left takes what it was still loading with it.
        self.page.on(
            "requestfailed", lambda r: note(f"{r.url} {r.failure}") if r.failure != LEFT else None
        )
        self.page.on("response", lambda r: note(f"{r.status} {r.url}") if r.status >= 400 else None)


def walk_library() -> Library:
    """The sample, and a month of so many sessions that it is told by days."""
    views = [
        replace(
            sample.view(sample.ENTRIES[4]),
            entry=replace(
                sample.ENTRIES[4],
                id=sample.made_id(f"long-ago-{number}"),
                created_at=_LONG_AGO + timedelta(minutes=number),
            ),
        )
        for number in range(201)
    ]
    return replace(sample.LIBRARY, sessions=(*sample.LIBRARY.sessions, *reversed(views)))


def kinds(library: Library, *, directory_urls: bool = True) -> dict[str, str]:
    """Return template -> address of a page that is made with it, and the pages no record made."""
    found: dict[str, str] = {}
    for page in sorted(pages(Catalogue(library)), key=lambda one: one.uri):
        found.setdefault(page.template, url_of(page.uri, directory_urls))
    if not directory_urls:  # The page for wrong addresses is a server's.
        return found | {"about": "about.html"}
    return found | {"about": "about/", "404": "404.html"}


def templates() -> set[str]:
    """Return the names of the templates of pages."""
    names = {
        path.name.removesuffix(".md.j2") for path in (templates_dir() / "site").glob("*.md.j2")
    }
    return {name for name in names if not name.startswith("_")}
