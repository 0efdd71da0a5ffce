"""Every kind of page, on a phone and on a desk, in light, in dark and on paper."""

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, cast

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.wings.site.browsing import (
    BROWSER,
    DESK,
    PHONE,
    Watch,
    kinds,
    templates,
    walk_library,
)

pytestmark = BROWSER
LIBRARY = walk_library()
A4 = {"width": 794, "height": 1123}
TABLET = {"width": 1024, "height": 768}
WIDE = {"width": 1920, "height": 1080}
LONGEST_LINE = 95
"""Characters: a line of text that is longer is hard to read to its end."""
SHIFTS = """window.calmShift = 0
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) calmShift += entry.value
}).observe({ type: "layout-shift", buffered: true })"""
LOOK = """() => ({
  wide: document.documentElement.scrollWidth,
  title: document.title,
  h1: document.querySelectorAll("h1").length,
  nameless: [
    ...document.querySelectorAll("img:not([alt])"),
    ...[...document.querySelectorAll("article svg")].filter((svg) =>
      svg.getAttribute("aria-hidden") != "true" && !svg.hasAttribute("aria-labelledby")
      && !svg.hasAttribute("aria-label") && !svg.closest("[aria-hidden=true], a[title], button")),
  ].map((one) => one.outerHTML.slice(0, 200)),
  shift: window.calmShift,
  lines: Math.max(0, ...[...document.querySelectorAll("article p")]
    .filter((one) => one.innerText.length > 200)
    .map((one) => [one.getBoundingClientRect().width, getComputedStyle(one).fontSize])
    .map(([wide, letter]) => 2 * wide / parseFloat(letter))),
  links: [...document.querySelectorAll("article a[href]")].filter((one) => one.offsetParent
    && !(one.textContent.trim() || one.getAttribute("aria-label") || one.title
      || one.querySelector("title, img[alt]"))).map((one) => one.outerHTML.slice(0, 120)),
  levels: [...document.querySelectorAll("article h1, article h2, article h3, article h4")]
    .map((one) => Number(one.tagName[1])),
})"""
MOVED = """async () => {
  await new Promise(requestAnimationFrame)
  document.getAnimations()
    .filter((one) => Number.isFinite(one.effect.getComputedTiming().endTime))
    .forEach((one) => one.finish())
}"""
PAPER = """() => {
  const shown = (name) => [...document.querySelectorAll(name)]
    .some((one) => getComputedStyle(one).display != "none")
  const wide = [...document.querySelectorAll("article *, main *")]
    .filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
  return {
    frame: [".md-header", ".md-tabs", ".md-footer", ".md-sidebar"].filter(shown),
    ground: getComputedStyle(document.body).backgroundColor,
    ink: getComputedStyle(document.querySelector("article, main")).color,
    wide: wide.map((one) => one.outerHTML.slice(0, 120)),
    words: document.querySelector("article, main").innerText.length,
  }
}"""


@dataclass(frozen=True)
class Seen:
    """What was seen of a page in a window of a width, in a look."""

    kind: str
    width: int
    look: dict[str, Any]
    paper: dict[str, Any]
    keys: dict[str, Any]
    faults: list[str]

    def __str__(self) -> str:
        return f"{self.kind} at {self.width}"


@pytest.fixture(scope="module")
def seen(browser: Browser, without_index: str) -> list[Seen]:
    """Every kind of page from a phone to a wide screen, in both looks, and on paper.

    Each is loaded on a desk and on a phone, and its window is then resized.
    """
    found = []
    for size, resized, scheme in ((DESK, WIDE, "light"), (PHONE, TABLET, "dark")):
        context = browser.new_context(viewport=size, color_scheme=scheme)
        context.add_init_script(SHIFTS)
        tab = context.new_page()
        watch = Watch(tab, without_index)
        for kind, url in kinds(LIBRARY).items():
            tab.goto(without_index + url)
            look = tab.evaluate(LOOK)
            keys = tabbed(tab, frame=kind == "home") if size == DESK else {}
            paper = on_paper(tab) if size == DESK else {}
            resize(tab, resized)
            # What moves then moves because the window did.
            resized_look = tab.evaluate(LOOK) | {"shift": 0}
            found.append(Seen(kind, size["width"], look, paper, keys, watch.faults[:]))
            found.append(Seen(kind, resized["width"], resized_look, {}, {}, []))
            watch.faults.clear()
            tab.set_viewport_size(size)
        context.close()
    return found


def resize(tab: Page, size: Any) -> None:
    """Resize the window, and put what slides in from outside of it where it ends."""
    tab.set_viewport_size(size)
    tab.evaluate(MOVED)


def on_paper(tab: Page) -> dict[str, Any]:
    tab.set_viewport_size(A4)
    tab.emulate_media(media="print")
    paper: dict[str, Any] = tab.evaluate(PAPER)
    tab.emulate_media(media="screen")
    return paper


def test_every_template_has_a_page_in_this_walk() -> None:
    """What nobody walks, nobody sees: give the sample what the new kind of page needs."""
    assert templates() <= kinds(LIBRARY).keys()


def test_nothing_complains_and_no_request_fails_or_leaves(seen: list[Seen]) -> None:
    assert {str(one): one.faults for one in seen if one.faults} == {}


def test_nothing_is_wider_than_the_window(seen: list[Seen]) -> None:
    assert [str(one) for one in seen if one.look["wide"] > one.width] == []


def test_a_page_has_one_title_and_a_name(seen: list[Seen]) -> None:
    assert [str(one) for one in seen if one.look["h1"] != 1] == []
    assert [str(one) for one in seen if not one.look["title"]] == []


def test_headings_go_down_one_level_at_a_time(seen: list[Seen]) -> None:
    """A screen reader lists them as the contents of the page."""
    for one in (one for one in seen if one.kind != "404"):  # it has no frame, and one heading
        levels = one.look["levels"]
        assert levels[:1] == [1], str(one)
        steps = pairwise(levels)
        assert all(below <= above + 1 for above, below in steps), (str(one), levels)


def test_a_link_has_words(seen: list[Seen]) -> None:
    assert {str(one): one.look["links"] for one in seen if one.look["links"]} == {}


def test_a_line_stays_readable_on_a_wide_screen(seen: list[Seen]) -> None:
    ours = [one for one in seen if one.kind != "about"]  # which people write, as the theme has it
    assert {str(one): one.look["lines"] for one in ours if one.look["lines"] > LONGEST_LINE} == {}


def test_pictures_have_words_for_those_who_cannot_see_them(seen: list[Seen]) -> None:
    assert {str(one): one.look["nameless"] for one in seen if one.look["nameless"]} == {}


def test_nothing_moves_while_a_page_loads(seen: list[Seen]) -> None:
    assert {str(one): one.look["shift"] for one in seen if one.look["shift"] >= 0.05} == {}


def test_paper_gets_the_words_alone_dark_on_white(seen: list[Seen]) -> None:
    for one in filter(lambda one: one.paper, seen):
        assert one.paper["frame"] == [], str(one)
        assert one.paper["ground"] == "rgb(255, 255, 255)", str(one)
        assert max(map(int, re.findall(r"\d+", one.paper["ink"])[:3])) < 80, str(one)
        assert one.paper["wide"] == [], str(one)
        assert one.paper["words"] > 10, str(one)


def follow(tab: Page, part: str) -> str:
    """Click the first link of the text whose address has `part`, and return the heading there."""
    links = tab.locator("article a:not(.headerlink)")
    addresses = links.evaluate_all("(links) => links.map((link) => link.href)")
    at = next(at for at, address in enumerate(addresses) if part in address != tab.url)
    links.nth(at).click()
    tab.wait_for_url(addresses[at])
    return tab.locator("h1").inner_text()


def test_evidence_can_be_followed_both_ways(tab: Page) -> None:
    tab.get_by_role("navigation", name="Tabs").get_by_role("link", name="Friction").click()
    tab.wait_for_url("**/friction/")
    follow(tab, "friction/pnpm")
    session = follow(tab, "sessions/2026/09/2026-")
    place = tab.url.partition("#")[0].rstrip("/").rpartition("/")[2]
    memory = follow(tab, "memories/")
    expect(tab.get_by_role("heading", name="Evidence")).to_be_visible()
    assert follow(tab, place) == session
    assert follow(tab, "memories/") == memory
    reflection = follow(tab, "reflections/20")
    assert reflection.startswith("Reflection of")
    assert follow(tab, "memories/") == memory


@pytest.mark.parametrize(
    ("words", "place"),
    [
        ("caches errors for ten minutes", "sessions/20"),
        ("Amounts are whole cents", "memories/fact/"),
        ("friction that occurred more than once", "about/"),
    ],
)
def test_search_finds_friction_memories_and_pages_of_the_users_own(
    tab: Page, words: str, place: str
) -> None:
    box = tab.get_by_placeholder("Search")
    box.click()
    box.fill(words)
    box.press("End")
    found = tab.locator(f".md-search-result__link[href*='{place}']")
    result = found.filter(has_text=words).first
    expect(result).to_be_visible()
    result.click()
    tab.wait_for_url(re.compile(place))
    expect(tab.locator("article")).to_contain_text(words.split()[-1])


FOCUS = """() => {
  const at = document.activeElement
  const ring = (one) => {
    const style = one && getComputedStyle(one)
    return !!style && style.outlineStyle != "none" && parseFloat(style.outlineWidth) >= 1
  }
  return {
    name: at.className + " " + (at.getAttribute("data-md-component") || at.name || ""),
    words: at.innerText || at.getAttribute("aria-label") || "",
    text: !!at.closest("article"),
    end: at == document.body,
    ring: ring(at) || ring(at.closest("form")) || ring(at.nextElementSibling),
  }
}"""
HEAR = f"""() => {{
  const met = window.calmMet = new Set()
  window.calmStops = []
  window.calmEnd = false
  document.addEventListener("focusin", (event) => {{
    calmEnd ||= met.has(event.target)  // round once
    met.add(event.target)
    calmEnd || calmStops.push(({FOCUS})())
  }})
}}"""
REST = """(place) => {
  const focusable = "a[href], button, input, summary, [tabindex='0']"
  const text = document.querySelector("article")
  for (const one of document.querySelectorAll(focusable)) {
    if (place == "before" && one.compareDocumentPosition(text) != 4) break
    if (one.offsetParent && one.tabIndex >= 0 && !calmMet.has(one)) one.focus()
  }
}"""
"""After a key a script's focus looks as that of the keyboard does, and costs no round trip."""
MET = f"""() => {{
  const pressed = [...calmStops]
  const links = [...document.querySelectorAll("article a[href]")]
    .filter((one) => one.offsetParent && !one.closest("svg")).length
  void ({REST})("all")
  return {{ pressed, stops: calmStops, links }}
}}"""


def tabbed(tab: Page, *, frame: bool) -> dict[str, Any]:
    """Press Tab to the page's text, return each stop, and how many links there are.

    Through the `frame`, which all pages have, keys go on one page; elsewhere the last one does.
    """
    tab.evaluate(HEAR)
    tab.keyboard.press("Tab")
    if not frame and tab.locator("article").count():
        tab.evaluate(REST, "before")
    for _ in range(100):
        tab.keyboard.press("Tab")
        if tab.evaluate("calmEnd || calmStops.at(-1).text || calmStops.at(-1).end"):
            break
    return cast("dict[str, Any]", tab.evaluate(MET))


def test_the_keyboard_reaches_everything_and_shows_where_it_is(seen: list[Seen]) -> None:
    walked = [one for one in seen if one.keys and one.kind != "404"]
    assert len(walked) == len(kinds(LIBRARY)) - 1
    for one in walked:
        stops = one.keys["stops"]
        names = [f"{stop['name']} {stop['words']}" for stop in stops]
        order = [
            next((at for at, name in enumerate(names) if part in name), -1)
            for part in ("md-skip", "md-logo", "__palette", "md-search__input", "md-tabs__link")
        ]
        assert -1 not in order, (str(one), names)
        assert order[0] == 0, (str(one), names)
        assert one.keys["links"] == 0 or any(stop["text"] for stop in one.keys["pressed"]), str(one)
        assert [stop for stop in stops if not stop["ring"]] == [], str(one)


def test_the_way_past_the_navigation_leads_to_the_text(tab: Page) -> None:
    tab.keyboard.press("Tab")
    tab.keyboard.press("Enter")
    tab.keyboard.press("Tab")
    assert tab.evaluate("!!document.activeElement.closest('article')")


def test_a_stroke_opens_search_and_escape_closes_it(tab: Page) -> None:
    tab.keyboard.press("/")
    expect(tab.get_by_placeholder("Search")).to_be_focused()
    tab.keyboard.press("Escape")
    expect(tab.locator("#__search")).not_to_be_checked()


def test_the_look_is_changed_by_the_keyboard(tab: Page) -> None:
    for _ in range(20):
        tab.keyboard.press("Tab")
        if "__palette" in tab.evaluate(FOCUS)["name"]:
            break
    tab.keyboard.press("ArrowRight")
    expect(tab.locator("body")).to_have_attribute("data-md-color-scheme", "slate")
