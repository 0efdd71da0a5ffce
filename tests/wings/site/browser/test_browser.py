"""A person with a browser: walks, searches, reads on a phone; nothing complains or sneaks out."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from calmkb.wings.site.builder.rendering.markdown import url_of
from calmkb.wings.site.builder.search import add_documents
from calmkb.wings.site.content.addresses import page_stem
from calmkb.wings.site.staging.stage import stage
from tests.wings.site.browsing import (
    BROWSER,
    DESK,
    Watch,
    kinds,
    serve,
    without_search,
)
from tests.wings.site.conftest import Shared
from tests.wings.site.hostile import hostile_library
from tests.wings.site.sample import LIBRARY

pytestmark = BROWSER


@pytest.fixture
def page(tab: Page) -> Page:
    return tab


def search(tab: Page, words: str) -> Locator:
    """Type words as a person would, and return the first result that holds them."""
    box = tab.get_by_placeholder("Search")
    box.click()
    box.fill(words)
    box.press("End")
    result = tab.locator(".md-search-result__link").filter(has_text=words).first
    expect(result).to_be_visible()
    return result


def test_each_navigation_entry_leads_to_its_page(page: Page) -> None:
    tabs = page.get_by_role("navigation", name="Tabs")
    for name in (
        "Sessions",
        "Friction",
        "Memories",
        "Reflections",
        "What agents read",
        "About",
    ):
        tabs.get_by_role("link", name=name, exact=True).click()
        expect(page.get_by_role("heading", level=1)).to_contain_text(name)


def test_a_reader_gets_from_a_theme_to_the_session_and_on_to_the_memory(page: Page) -> None:
    page.locator(".calm-issues").get_by_role("link", name="npm test hung").click()
    expect(page).to_have_url(re.compile("/friction/pnpm/$"))
    page.get_by_role("link", name="Moved the checkout tests").first.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Moved the checkout tests")
    page.get_by_role("link", name="Use pnpm for every script").click()
    expect(page.get_by_role("heading", name="Provenance")).to_be_visible()
    page.locator("li", has_text="Approved on").get_by_role("link", name="3 Oct 2026").click()
    expect(page.get_by_text("It hides flaky tests instead of fixing them.")).to_be_visible()


def test_a_command_is_copied_with_a_click(page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator("li", has_text="Reflect on:").get_by_role("link").click()
    page.get_by_role("button", name="Copy calmkb reflect").click()
    expect(page.get_by_role("button", name="Copied calmkb reflect")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == "calmkb reflect"


def test_the_bar_shows_the_section_of_each_page(page: Page) -> None:
    home = page.url
    for url, name in (("friction/pnpm/", "Friction"), ("projects/atlas/", "Projects")):
        page.goto(home + url)
        expect(page.locator(".md-tabs__item--active")).to_have_text(name)


def test_a_quote_leads_to_its_sentence_on_the_page_of_the_session(page: Page) -> None:
    page.goto(page.url + "friction/pnpm/")
    page.locator(".calm-quotes").get_by_role("link", name="Split the cart reducer").click()
    marked = page.locator("li:has(> .calm-said:target, > p > .calm-said:target)")
    expect(marked).to_contain_text("npm test")


def test_troubles_are_narrowed_by_state_and_project_and_the_address_says_so(page: Page) -> None:
    page.goto(page.url + "friction/")
    rows = page.locator(".calm-issues li")
    page.get_by_label("State").select_option("new")
    expect(rows.filter(visible=True)).to_have_count(1)
    page.get_by_label("Project").select_option("atlas")
    expect(page.get_by_role("status").filter(has_text="1 of 4 shown")).to_be_visible()
    page.reload()
    expect(rows.filter(visible=True)).to_have_count(1)
    expect(rows.filter(visible=True)).to_contain_text("caches errors")


def test_search_finds_a_friction_sentence_and_opens_it(page: Page) -> None:
    search(page, "caches errors for ten minutes").click()
    expect(page.locator("article")).to_contain_text("caches errors for ten minutes")


def test_each_hit_says_what_it_is_and_of_which_day(page: Page) -> None:
    search(page, "npm test hung")
    hits = page.locator(".calm-hit")
    expect(hits.filter(has_text="Session · storefront · 24 Sep 2026").first).to_be_visible()
    expect(hits.filter(has_text="Memory · storefront · 3 Oct 2026").first).to_be_visible()
    expect(hits.filter(has_text="Trouble").first).to_be_visible()
    expect(page.locator(".md-search-result__item").first).to_contain_text("Memory")


def test_search_narrows_to_a_kind_and_a_project_and_back(page: Page) -> None:
    search(page, "test")
    hits = page.locator(".calm-hit")
    page.locator(".calm-chip", has_text="Session").click()
    expect(hits.filter(has_text="Memory")).to_have_count(0)
    expect(hits.first).to_contain_text("Session")
    page.locator(".calm-chip", has_text="storefront").click()
    expect(page.get_by_placeholder("Search")).to_have_value("test +tags:Session +tags:storefront")
    page.locator(".calm-chip", has_text="Session").click()
    expect(hits.filter(has_text="Memory").first).to_be_visible()


def test_search_offers_a_word_that_is_there_for_one_that_is_not(page: Page) -> None:
    box = page.get_by_placeholder("Search")
    box.click()
    box.press_sequentially("databse containr")
    page.get_by_role("button", name="database container").click()
    expect(box).to_have_value("database container")
    expect(page.locator(".md-search-result__link").first).to_contain_text("database container")
    expect(page.locator(".calm-hint")).to_be_empty()


def test_search_forgives_a_slip_in_the_only_word(page: Page) -> None:
    box = page.get_by_placeholder("Search")
    box.click()
    box.press_sequentially("databse")
    expect(page.locator(".calm-hint")).to_have_text("Nothing has these words. Showing database.")
    hit = page.locator(".md-search-result__link").filter(has_text="database container").first
    expect(hit).to_be_visible()
    expect(box).to_have_value("databse")
    hit.click()
    expect(page.locator("article")).to_contain_text("database container")


def test_search_shows_only_filters_that_leave_some_hits_and_not_all(page: Page) -> None:
    box, chips = page.get_by_placeholder("Search"), page.locator(".calm-chip")
    box.click()
    expect(chips).to_have_count(0)
    search(page, "npm")
    for kind in ("Memory", "Session", "Trouble"):
        expect(chips.filter(has_text=kind)).to_be_visible()
    box.fill("")
    box.press_sequentially("qqqqq")
    expect(chips).to_have_count(0)


def test_the_arrow_keys_reach_what_narrows_and_enter_opens_the_best_hit(page: Page) -> None:
    search(page, "caches errors for ten minutes")
    expect(page.locator(".calm-chip").first).to_be_visible()  # they come once the index is read
    page.keyboard.press("ArrowDown")
    assert "calm-chip" in page.evaluate("document.activeElement.className")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(page.locator("article")).to_contain_text("caches errors for ten minutes")


def test_the_dark_look_is_one_click_away_and_stays(page: Page) -> None:
    paper = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(paper)
    page.get_by_title("Switch to the dark look").click()
    expect(page.locator("body")).to_have_attribute("data-md-color-scheme", "slate")
    assert page.evaluate(paper) != light
    page.reload()
    expect(page.locator("body")).to_have_attribute("data-md-color-scheme", "slate")


@pytest.fixture
def below_a_folder(shared_site: Shared, tmp_path: Path) -> Iterator[str]:
    """A site that does not know its address, in the folder `team` of a host."""
    shutil.copytree(shared_site("sample"), tmp_path / "team")
    yield from serve(tmp_path, missing="team/404.html")


def test_a_page_that_is_not_there_leads_on(browser: Browser, below_a_folder: str) -> None:
    tab = browser.new_page(viewport=DESK)
    moved = address_of("Amounts are whole cents")
    tab.goto(f"{below_a_folder}/team/memories/error/{moved}/")
    expect(tab).to_have_title("Page not found · Example team")
    assert tab.evaluate("document.documentElement.scrollHeight") <= DESK["height"]
    tab.get_by_role("link", name="Memories").wait_for()
    tab.get_by_role("link", name="Amounts are whole cents").click()
    expect(tab.get_by_role("heading", level=1)).to_contain_text("Amounts are whole cents")
    tab.goto(f"{below_a_folder}/team/friction/flaky-database/")
    tab.get_by_role("link", name="Search").click()
    expect(tab.get_by_placeholder("Search")).to_have_value("flaky database")
    expect(tab.locator(".md-search-result__link").first).to_be_visible()
    tab.goto(f"{below_a_folder}/team/nowhere/")
    tab.get_by_role("link", name="Home").click()
    expect(tab.get_by_role("heading", name="To do")).to_be_visible()
    tab.close()


def test_search_finds_words_inside_a_run_that_has_no_spaces(
    browser: Browser, shared_site: Shared, tmp_path: Path
) -> None:
    texts = {"日本語の検索テストを直した。": "検索", "修复了搜索功能的错误": "功能",
             "ภาษาไทยค้นหาคำในประโยค": "ค้นหา", "Fixed the カタカナの表示": "表示"}  # fmt: skip
    words = [(f"{at}.md", text, text, "Session\nshop") for at, text in enumerate(texts)]
    site = shutil.copytree(shared_site("sample"), tmp_path / "site")
    add_documents(site / "search/search_index.json", words, lambda uri: uri.replace(".md", "/"))
    for address in serve(tmp_path):
        tab = browser.new_page()
        tab.goto(f"{address}/site/")
        for text, inside in texts.items():
            box = tab.get_by_placeholder("Search")
            box.fill(inside)
            box.press("End")
            hit = tab.locator(".md-search-result__link").filter(has_text=text)
            expect(hit.first).to_be_visible()
        tab.close()


def address_of(words: str) -> str:
    """Return the last part of the address of the memory that begins with these words."""
    return next(page_stem(one) for one in LIBRARY.memories if one.text.startswith(words))


def test_hostile_records_neither_run_nor_fetch(
    browser: Browser, shared_site: Shared, tmp_path: Path
) -> None:
    built = shared_site("hostile")
    without_search(shutil.copytree(built, tmp_path / "pages"))
    shutil.copytree(built, tmp_path / "whole")
    for address in serve(tmp_path):
        tab = browser.new_page()
        watch = Watch(tab, address)
        for uri in stage(hostile_library()):
            tab.goto(f"{address}/pages/{url_of(uri, directory_urls=True)}")
            tab.evaluate("document.querySelectorAll('article *').forEach(one => one.onclick?.())")
        tab.goto(f"{address}/whole/")
        search(tab, "Broke out")
        tab.close()
        assert watch.faults == []


def test_a_copy_on_a_disk_works_without_a_server(
    browser: Browser, shared_site: Shared, tmp_path: Path
) -> None:
    built = shared_site("offline")
    without_search(shutil.copytree(built, tmp_path / "pages"))
    shutil.copytree(built, tmp_path / "whole")
    tab = browser.new_page()
    watch = Watch(tab, tmp_path.as_uri())
    for url in kinds(LIBRARY, directory_urls=False).values():
        tab.goto(f"{(tmp_path / 'pages').as_uri()}/{url}")
    tab.goto(f"{(tmp_path / 'whole').as_uri()}/index.html")
    tab.get_by_role("navigation", name="Tabs").get_by_role("link", name="Friction").click()
    expect(tab.get_by_role("heading", level=1)).to_contain_text("Friction")
    tab.get_by_placeholder("Search").click()
    tab.get_by_placeholder("Search").press_sequentially("databse container")
    tab.get_by_role("button", name="database container").click()
    tab.locator(".md-search-result__link").filter(has_text="database container").first.click()
    expect(tab.locator("article")).to_contain_text("database container")
    tab.close()
    assert watch.faults == []


def test_search_finds_a_word_in_brackets(page: Page) -> None:
    box = page.get_by_placeholder("Search")
    for words in ("(database)", "[database]", "database)."):
        box.click()
        box.fill("")
        box.press_sequentially(words)
        hit = page.locator(".md-search-result__link").filter(has_text="database container").first
        expect(hit).to_be_visible()


def test_what_stands_beside_a_row_is_not_broken(page: Page, address: str) -> None:
    for place in ("sessions/", "weeks/", "statistics/", "projects/"):
        page.goto(address + place)
        beside = page.locator(".calm-rows:not(.calm-issues) > ul > li > .calm-meta")
        assert beside.count()
        for row in beside.all():
            height, line = row.evaluate("e => [e.getClientRects().length, e.textContent]")
            assert height == 1, line


PARTS = """heading => {
  const broken = [], texts = document.createTreeWalker(heading, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    for (const part of texts.currentNode.textContent.matchAll(/[^\\s/_.]+/g)) {
      const range = document.createRange()
      range.setStart(texts.currentNode, part.index)
      range.setEnd(texts.currentNode, part.index + part[0].length)
      if (range.getClientRects().length > 1) broken.push(part[0])
    }
  }
  return broken
}"""


def test_a_path_in_a_heading_is_broken_between_its_parts_alone(page: Page, address: str) -> None:
    page.goto(address + kinds(LIBRARY)["file"])
    title = page.get_by_role("heading", level=1)
    expect(title).to_contain_text("src/cart/reducer.ts")
    for width in (390, 240, 200, 180):
        page.set_viewport_size({"width": width, "height": 844})
        assert title.evaluate(PARTS) == [], width
    assert title.bounding_box()["height"] > 2 * 24  # type: ignore[index]  # it has two lines


def test_the_name_of_an_agent_is_not_broken_at_its_hyphen(page: Page, address: str) -> None:
    page.goto(address + kinds(LIBRARY)["session"])
    name = page.locator("article .calm-whole").first
    expect(name).to_have_text("claude-code")
    height = name.evaluate("e => e.offsetHeight")
    for width in range(180, 400, 15):
        page.set_viewport_size({"width": width, "height": 844})
        assert name.evaluate("e => e.offsetHeight") == height, width


def test_a_slip_in_a_link_to_a_search_is_forgiven_too(page: Page) -> None:
    page.goto(f"{page.url.rstrip('/')}/?q=databse")
    expect(page.locator(".calm-hint")).to_have_text("Nothing has these words. Showing database.")
    hit = page.locator(".md-search-result__link").filter(has_text="database container").first
    expect(hit).to_be_visible()
