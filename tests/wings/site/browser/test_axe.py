"""Every kind of page judged by axe-core, in both looks and widths: nothing serious stands.

Of the theme's own, nothing is excepted; what it left out is put in by our `main.html`.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.wings.site.browsing import (
    BROWSER,
    DESK,
    PHONE,
    Watch,
    kinds,
    walk_library,
)
from tests.wings.site.payloads.lists import MISSING, MODULES

pytestmark = [
    *BROWSER,
    pytest.mark.slow,
    pytest.mark.skipif(not MODULES.is_dir(), reason=MISSING),
]
LIBRARY = walk_library()
JUDGE = """async (rules) =>
  (await axe.run({ resultTypes: ["violations"], ...(rules && { runOnly: rules }) })).violations
  .filter((one) => ["serious", "critical"].includes(one.impact))
  .flatMap((one) => one.nodes.map((node) =>
    [one.id, node.target.join(" "), (node.any[0] || node.all[0] || node.none[0]).message]))"""
TURN = "(scheme) => document.body.setAttribute('data-md-color-scheme', scheme)"


def judged(tab: Page, other: str) -> Iterator[tuple[str, list[Any]]]:
    """Yield what stands in the way in each look; in the other one colours alone can be new."""
    yield "first", tab.evaluate(JUDGE)
    tab.evaluate(TURN, other)
    yield other, tab.evaluate(JUDGE, ["color-contrast", "link-in-text-block"])


def test_nothing_serious_stands_between_anybody_and_a_page(
    browser: Browser, without_index: str
) -> None:
    axe = (MODULES / "axe-core/axe.min.js").read_text(encoding="utf-8")
    # Without transitions, so that no colour is measured half way.
    context = browser.new_context(viewport=DESK, color_scheme="dark", reduced_motion="reduce")
    tab = context.new_page()
    watch = Watch(tab, without_index)
    found: dict[str, list[Any]] = {}
    for kind, url in kinds(LIBRARY).items():
        tab.set_viewport_size(DESK)
        tab.goto(without_index + url)
        tab.evaluate(axe)
        found |= {f"{kind}, desk, {name}": faults for name, faults in judged(tab, "default")}
        tab.set_viewport_size(PHONE)  # in the look that the desk ended with
        found |= {f"{kind}, phone, {name}": faults for name, faults in judged(tab, "slate")}
    context.close()
    assert {name: faults for name, faults in found.items() if faults} == {}
    assert watch.faults == []
