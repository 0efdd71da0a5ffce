"""The page of the first look in a real browser: it loads nothing, runs nothing, fits a phone."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.site.browsing import BROWSER, DESK, PHONE, Watch, chromium
from tests.start.histories import histories

pytestmark = BROWSER
AXE = Path(__file__).parents[1] / "site/payloads/node_modules/axe-core/axe.min.js"


@pytest.fixture
def shown(look, shop, home, tmp_path):
    """Return the address of a page with proposals and troubles."""
    list(histories(home, [str(shop)], 24))
    page = tmp_path / "look.html"
    assert look("--page", str(page)).code == 0
    assert page.read_text("utf-8").count("<li>") > 1
    return page.as_uri()


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_reads_well_in_every_size_and_light(shown, size, scheme):
    with chromium() as browser:
        page = browser.new_page(viewport=size, color_scheme=scheme)
        watch = Watch(page, shown)
        page.goto(shown)
        assert watch.faults == []
        assert page.locator("h1").inner_text().startswith("What 24 sessions of shop teach")
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
        page.locator("summary").first.click()
        assert page.locator("blockquote").first.is_visible()
        assert _serious(page) == []


def test_evidence_opens_by_the_keyboard_and_the_content_can_be_reached_at_once(shown):
    with chromium() as browser:
        page = browser.new_page(viewport=DESK)
        page.goto(shown)
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
        page.locator("summary").first.focus()
        page.keyboard.press("Enter")
        assert page.locator("blockquote").first.is_visible()


def _serious(page: Page) -> list[str]:
    if not AXE.exists():
        pytest.skip("axe-core is not installed; run: make payloads")
    # The page's own policy lets no script in: axe is run in a copy without it.
    html = page.content().replace("default-src 'none'", "default-src * 'unsafe-inline'")
    page.set_content(html)
    page.evaluate(AXE.read_text("utf-8"))
    found = json.loads(page.evaluate("axe.run().then(r => JSON.stringify(r.violations))"))
    return [one["id"] for one in found if one["impact"] in ("serious", "critical")]
