"""A person with a browser: walks, searches, reads on a phone; nothing complains or sneaks out."""

import functools
import re
import shutil
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright

from calmkb.site.stage import stage
from tests.site.conftest import Build
from tests.site.hostile import hostile_library
from tests.site.sample import LIBRARY

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--no-first-run"),
)
SUB_PATH = "team/kb"
PHONE = {"width": 390, "height": 844}

pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on PATH"),
    pytest.mark.xdist_group("browser"),
]


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, *args: object) -> None:
        pass


def serve(folder: Path) -> Iterator[str]:
    handler = functools.partial(QuietHandler, directory=folder)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def address(build_site: Build, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A site below a sub-path, as a team's git host would serve it."""
    built = build_site(LIBRARY, site_url=f"https://example.org/{SUB_PATH}/")
    root = tmp_path_factory.mktemp("www")
    shutil.copytree(built, root / SUB_PATH)
    for base in serve(root):
        yield f"{base}/{SUB_PATH}/"


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    """A tab that fails the test when the console complains or a request leaves the site."""
    tab = browser.new_page()
    faults: list[str] = []
    tab.on("console", lambda m: faults.append(m.text) if m.type == "error" else None)
    tab.on("pageerror", lambda error: faults.append(str(error)))
    tab.on("request", lambda r: None if r.url.startswith(address) else faults.append(r.url))
    tab.on("response", lambda r: faults.append(r.url) if r.status >= 400 else None)
    tab.goto(address)
    yield tab
    tab.close()
    assert faults == []


def search(tab: Page, words: str) -> Locator:
    """Type words as a person would, and return the first result that holds them."""
    box = tab.get_by_placeholder("Search")
    box.click()
    box.press_sequentially(words)
    result = tab.locator(".md-search-result__link").filter(has_text=words).first
    expect(result).to_be_visible()
    return result


def test_each_door_leads_to_its_page(page: Page) -> None:
    tabs = page.get_by_role("navigation", name="Tabs")
    for name in (
        "Sessions",
        "Friction",
        "Memories",
        "Reflections",
        "What agents are told",
        "About",
    ):
        tabs.get_by_role("link", name=name, exact=True).click()
        expect(page.get_by_role("heading", level=1)).to_contain_text(name)


def test_a_reader_gets_from_a_theme_to_the_session_and_on_to_the_memory(page: Page) -> None:
    page.get_by_role("link", name="npm test hung").click()
    expect(page).to_have_url(re.compile("/friction/pnpm/$"))
    page.get_by_role("link", name="Moved the checkout tests").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Moved the checkout tests")
    page.get_by_role("link", name="Use pnpm for every script").click()
    expect(page.get_by_role("heading", name="Provenance")).to_be_visible()
    page.get_by_role("link", name="the reflection of 3 Oct 2026").click()
    expect(page.get_by_text("It hides flaky tests instead of mending them.")).to_be_visible()


def test_search_finds_a_friction_sentence_and_opens_it(page: Page) -> None:
    search(page, "caches errors for ten minutes").click()
    expect(page.locator("article")).to_contain_text("caches errors for ten minutes")


def test_nothing_is_wider_than_a_phone(page: Page, address: str) -> None:
    page.set_viewport_size(PHONE)
    for path in ("", "sessions/", "friction/", "memories/", "reflections/", "tags/", "problems/"):
        page.goto(address + path)
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], path


def test_the_dark_look_is_one_click_away_and_stays(page: Page) -> None:
    paper = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(paper)
    page.get_by_title("Switch to the dark look").click()
    expect(page.locator("body")).to_have_attribute("data-md-color-scheme", "slate")
    assert page.evaluate(paper) != light
    page.reload()
    expect(page.locator("body")).to_have_attribute("data-md-color-scheme", "slate")


@pytest.fixture(scope="module")
def hostile_address(build_site: Build) -> Iterator[str]:
    yield from serve(build_site(hostile_library()))


def test_hostile_records_neither_run_nor_fetch(browser: Browser, hostile_address: str) -> None:
    tab = browser.new_page()
    caught: list[str] = []
    tab.on("dialog", lambda dialog: (caught.append(dialog.message), dialog.dismiss()))
    tab.on("request", lambda r: None if r.url.startswith(hostile_address) else caught.append(r.url))
    tab.goto(hostile_address)
    for uri in stage(hostile_library()):
        tab.goto(f"{hostile_address}/{uri.removesuffix('.md').removesuffix('index')}")
        tab.evaluate("document.querySelectorAll('article *').forEach(one => one.onclick?.())")
    search(tab, "Broke out")
    tab.close()
    assert caught == []


def test_a_page_from_a_folder_works_without_a_server(
    browser: Browser, build_site: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OFFLINE", "true")
    built = build_site(LIBRARY)
    tab = browser.new_page()
    requests: list[str] = []
    tab.on("request", lambda r: requests.append(r.url))
    tab.goto((built / "index.html").as_uri())
    tab.get_by_role("navigation", name="Tabs").get_by_role("link", name="Friction").click()
    expect(tab.get_by_role("heading", level=1)).to_contain_text("Friction")
    search(tab, "database container").click()
    expect(tab.locator("article")).to_contain_text("database container")
    tab.close()
    assert [url for url in requests if not url.startswith("file://")] == []
