"""Five thousand hostile texts in a real browser: nothing runs, nothing asks another host."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urljoin

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.wings.site.browsing import (
    BROWSER,
    Watch,
    below_a_sub_path,
    kinds,
    serve,
    without_search,
)
from tests.wings.site.conftest import Build
from tests.wings.site.payloads.lists import MISSING, MODULES
from tests.wings.site.payloads.site import library, payload_site

pytestmark = [
    *BROWSER,
    pytest.mark.slow,
    pytest.mark.skipif(not MODULES.is_dir(), reason=MISSING),
]
BATCH = 100
CANARY = """window.calmPwned = []
for (const name of ["alert", "confirm", "prompt", "print", "open"])
  window[name] = () => { calmPwned.push(name) }
addEventListener("securitypolicyviolation", (event) => calmPwned.push(event.blockedURI))"""
# Whatever is clicked, a plain link leads nowhere, so that the page stays to be looked at.
CLICK = """(events) => {
  document.addEventListener("click", (event) => {
    const link = event.target.closest && event.target.closest("a")
    if (link && /^https?:$/.test(link.protocol)) event.preventDefault()
  }, true)
  const all = [...document.querySelectorAll("article, article *")]
  for (const one of all) {
    for (const event of events)
      one.dispatchEvent(new MouseEvent(event, { bubbles: true, cancelable: true }))
  }
  return {
    elements: all.length,
    handlers: all.filter((one) => [...one.attributes].some(({ name }) => name.startsWith("on")))
      .map((one) => one.outerHTML.slice(0, 200)),
    pwned: calmPwned,
  }
}"""
INERT = """(part) => [...document.querySelectorAll(`${part} *`)]
  .filter((one) => /^(script|iframe|img|svg|style|object|embed|form|input|link|video|base)$/i
    .test(one.tagName) && !one.closest(".md-icon")
    || [...one.attributes].some(({ name }) => name.startsWith("on") || name == "style"))
  .map((one) => one.outerHTML.slice(0, 200))"""
LONG = 30_000
"""Milliseconds that a busy machine may need to make an index of the words."""


@pytest.fixture(scope="module")
def site(build_site: Build, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return payload_site(build_site, tmp_path_factory)


@pytest.fixture(scope="module")
def address(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    yield from below_a_sub_path(site, tmp_path_factory.mktemp("www"))


@pytest.fixture(scope="module")
def pages_alone(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The site without its search index, which every page would read and sort as it loads."""
    root = tmp_path_factory.mktemp("www")
    yield from below_a_sub_path(without_search(shutil.copytree(site, root / "site")), root)


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context()
    context.add_init_script(CANARY)
    yield context
    context.close()


@pytest.fixture
def tab(context: BrowserContext, address: str) -> Iterator[Page]:
    """A tab that fails the test when a dialog opens, a request leaves, or the console complains."""
    page = context.new_page()
    watch = Watch(page, address)
    yield page
    assert watch.faults == []


def test_every_kind_of_page_stands_still_whatever_is_clicked(
    context: BrowserContext, pages_alone: str
) -> None:
    tab = context.new_page()
    watch = Watch(tab, pages_alone)
    for kind, url in kinds(library()).items():
        tab.goto(pages_alone + url)
        found = tab.evaluate(CLICK, ["click"])
        assert (found["handlers"], found["pwned"]) == ([], []), kind
    assert watch.faults == []


def test_the_text_of_every_page_runs_nothing_even_without_a_policy(
    context: BrowserContext, site: Path, tmp_path: Path
) -> None:
    """The policy and the theme are left out: what is escaped must need neither."""
    texts = [article(path) for path in sorted(site.rglob("*.html")) if path.name != "404.html"]
    batches = [texts[at : at + BATCH] for at in range(0, len(texts), BATCH)]
    page, elements = context.new_page(), 0
    for number, batch in enumerate(batches):
        html = "<!doctype html><meta charset=utf-8><link rel=icon href=data:,>" + "\n".join(batch)
        (tmp_path / f"{number}.html").write_text(html, encoding="utf-8")
    for base in serve(tmp_path):
        watch = Watch(page, base)
        for number in range(len(batches)):
            page.goto(f"{base}/{number}.html")
            found = page.evaluate(CLICK, ["click", "mouseover", "focus"])
            elements += found["elements"]
            assert (found["handlers"], found["pwned"]) == ([], [])
        page.close()
    assert watch.faults == []
    assert (len(texts) > 700, elements > 80_000) == (True, True)


def test_the_browser_would_tell_if_something_ran(context: BrowserContext, tmp_path: Path) -> None:
    live = "<img src=x onerror=alert(1)><svg onload=confirm()><a href=javascript:prompt()>x</a>"
    (tmp_path / "live.html").write_text(f"<article>{live}<i onclick=print()>x</i></article>")
    page = context.new_page()
    for base in serve(tmp_path):
        page.goto(f"{base}/live.html")
        assert len(page.evaluate(CLICK, ["click"])["handlers"]) == 3
        page.wait_for_function("calmPwned.length == 4")
        page.close()


def article(path: Path) -> str:
    html = path.read_text(encoding="utf-8")
    return html[html.index("<article") : html.rindex("</article>") + len("</article>")]


@pytest.mark.parametrize(
    "words",
    [
        "<script>alert(1)</script>",
        '"><svg/onload=alert(1)>',
        "<img src=x onerror=alert(1)>",
        "javascript:alert(document.cookie)",
        "{{constructor.constructor('alert(1)')()}}",
    ],
)
def test_search_and_what_it_marks_stay_inert(tab: Page, address: str, words: str) -> None:
    tab.goto(address)
    box = tab.get_by_placeholder("Search")
    box.click()
    # The index of so many texts takes a while, and what is typed before it stands may be lost.
    expect(tab.locator(".md-search-result__meta")).to_contain_text("Type to start", timeout=LONG)
    box.press_sequentially(words)
    told = re.compile("matching|result", re.IGNORECASE)
    expect(tab.locator(".md-search-result__meta")).to_contain_text(told, timeout=LONG)
    assert tab.evaluate(INERT, ".md-search-result__list") == []
    first = tab.locator(".md-search-result__link").first
    if first.count():
        # Not by a click: the list of the last letters may still come while it is pressed.
        found = first.get_attribute("href")
        assert found and "h=" in found
        tab.goto(urljoin(address, found))
    assert tab.evaluate(INERT, "article") == []
    assert tab.evaluate("calmPwned") == []
