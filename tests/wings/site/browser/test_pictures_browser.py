"""Pictures as they look: legible on a phone, inside their page, in light and in dark."""

from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from calmkb.templating import templates_dir
from calmkb.wings.site.pictures.activity import Tally, activity
from tests.wings.site.browsing import CHROMIUM, FLAGS, PHONE
from tests.wings.site.drawn import on_page

pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on PATH"),
    pytest.mark.xdist_group("browser"),
]
LEAST_TEXT = 11
MONDAY = date(2026, 1, 5)
TEXTS = """() => [...document.querySelectorAll("figure svg text")]
  .filter((text) => text.getClientRects().length)
  .map((text) => {
    const svg = text.ownerSVGElement, frame = svg.getBoundingClientRect()
    const box = text.getBoundingClientRect()
    return {
      words: text.textContent,
      size: parseFloat(getComputedStyle(text).fontSize) * frame.width / svg.viewBox.baseVal.width,
      outside: box.left < frame.left - 1 || box.right > frame.right + 1,
    }
  })"""


def pictures() -> str:
    weeks = [MONDAY + timedelta(weeks=n) for n in range(60)]
    return "\n\n".join(
        (
            activity([Tally(week, 10 + n % 7, n % 30) for n, week in enumerate(weeks)]),
            activity([Tally(MONDAY)], name="one"),
        )
    )


@pytest.fixture(scope="module")
def tab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    folder = tmp_path_factory.mktemp("pictures")
    assets = templates_dir() / "site" / "assets"
    styles = "".join((assets / name).read_text() for name in ("calmkb.css", "calmkb-pictures.css"))
    page = (
        '<!doctype html><html lang="en"><meta name="viewport" content="width=device-width">'
        f"<style>html {{ font-size: 125% }} body {{ margin: 16px }} {styles}</style>"
        f'<body data-md-color-scheme="default"><div class="md-typeset">{on_page(pictures())}</div>'
    )
    Path(folder / "page.html").write_text(page, encoding="utf-8")
    with sync_playwright() as playwright:
        browser: Browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        tab = browser.new_page()
        tab.goto((folder / "page.html").as_uri())
        yield tab
        browser.close()


@pytest.mark.parametrize("width", [PHONE["width"], 600, 1280])
def test_text_is_large_enough_and_inside_at_any_width(tab: Page, width: int) -> None:
    tab.set_viewport_size({"width": width, "height": 900})
    found = tab.evaluate(TEXTS)

    assert len(found) > 20
    assert {one["words"]: one["size"] for one in found if one["size"] < LEAST_TEXT} == {}
    assert [one["words"] for one in found if one["outside"]] == []
    assert tab.evaluate("document.documentElement.scrollWidth") <= width


def test_a_picture_takes_its_colours_from_the_look(tab: Page) -> None:
    colour = "getComputedStyle(document.querySelector('.calm-bars')).fill"
    light = tab.evaluate(colour)
    tab.evaluate("document.body.dataset.mdColorScheme = 'slate'")
    dark = tab.evaluate(colour)
    tab.evaluate("document.body.dataset.mdColorScheme = 'default'")

    assert light != dark


def test_those_who_listen_get_names_descriptions_and_links(tab: Page) -> None:
    assert tab.get_by_role("img", name="774 sessions by week").count() == 1


@pytest.mark.parametrize("width", [PHONE["width"], 1280])
def test_a_row_of_long_names_stays_inside_its_page(tab: Page, width: int) -> None:
    tab.set_viewport_size({"width": width, "height": 900})
    names = ", ".join(f"1 {'project' * 9}" for _ in range(12))
    row = f'<ul><li>They hold <span class="calm-meta">{names}</span></li></ul>'
    tab.evaluate(
        """row => {
          const box = document.createElement("div")
          box.className = "calm-rows"
          box.innerHTML = row
          document.querySelector(".md-typeset").prepend(box)
        }""",
        row,
    )

    assert tab.evaluate("document.documentElement.scrollWidth") <= width
