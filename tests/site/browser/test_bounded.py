"""However long a journal lasts, each page is at most eight screens of a phone."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from calmkb.model import CATEGORIES, Evidence, Library, Theme
from calmkb.site.builder.rendering.markdown import url_of
from calmkb.site.content.catalogue import Catalogue
from calmkb.site.pages.table import pages
from tests.site import sample
from tests.site.browsing import BROWSER, PHONE, serve, without_search
from tests.site.conftest import Build

pytestmark = BROWSER
SCREENS = 8
SESSIONS, MEMORIES, THEMES = 320, 120, 40


def long_library() -> Library:
    """The sample, grown for half a year by people who write a lot."""
    start = sample.ENTRIES[0].created_at
    views = [
        replace(
            sample.view(sample.ENTRIES[n % 4]),
            reflected_at=None,
            entry=replace(
                sample.ENTRIES[n % 4],
                id=sample.made_id(f"s{n}"),
                created_at=start - timedelta(hours=3 * n if n < 250 else 14 * n),
            ),
        )
        for n in range(SESSIONS)
    ]
    memories = tuple(
        replace(
            sample.LIBRARY.memories[n % len(sample.LIBRARY.memories)],
            id=sample.made_id(f"m{n}"),
            created_at=start + timedelta(minutes=n),
            category=CATEGORIES[n % len(CATEGORIES)],
            scope=f"project-{n % 40}" if n % 3 else "global",
            tags=(f"tag-{n % 30}", "everything"),
            supersedes="",
        )
        for n in range(MEMORIES)
    )
    themes = tuple(
        Theme(
            id=f"t{n}",
            statement=f"Step {n} of the build failed until the cache of the runner was emptied.",
            sessions=SESSIONS // 2,
            evidence=tuple(
                Evidence(
                    source=view.entry.id,
                    quote=f"Step {n} failed in run {at}, as it did before.",
                    date=f"{view.entry.created_at:%Y-%m-%d}",
                    project=view.entry.project_name,
                )
                for at, view in enumerate(views[:160])
            ),
        )
        for n in range(THEMES)
    )
    reflection = replace(
        sample.LIBRARY.reflections[0],
        id=sample.made_id("long"),
        entries=tuple(view.entry.id for view in views),
        memories=tuple(memory.id for memory in memories[:60]),
        rejected=sample.LIBRARY.reflections[0].rejected * 60,
    )
    return replace(
        sample.LIBRARY,
        sessions=tuple(views),
        memories=memories,
        themes=themes,
        reflections=(*sample.LIBRARY.reflections, reflection),
        improvements=tuple(
            replace(one, id=sample.made_id(f"i{n}-{one.id}"))
            for n in range(12)
            for one in sample.LIBRARY.improvements
        ),
    )


@pytest.fixture(scope="module")
def built(build_site: Build) -> Path:
    return without_search(build_site(long_library()))


def longest(built: Path) -> list[str]:
    """Return the addresses of the two longest pages of each kind, by their bytes."""
    kinds: dict[str, list[str]] = {}
    for page in pages(Catalogue(long_library())):
        kinds.setdefault(page.template, []).append(url_of(page.uri, directory_urls=True))
    return [
        url
        for urls in kinds.values()
        for url in sorted(urls, key=lambda url: (built / url / "index.html").stat().st_size)[-2:]
    ]


def test_no_kind_of_page_is_longer_than_eight_screens(browser: Browser, built: Path) -> None:
    urls = longest(built)
    tab = browser.new_page(viewport=PHONE)
    heights: dict[str, int] = {}
    for site in serve(built):
        for url in urls:
            tab.goto(f"{site}/{url}")
            heights[url] = tab.evaluate("document.documentElement.scrollHeight")
    tab.close()
    limit = SCREENS * PHONE["height"]
    assert len(heights) > 35
    assert {url: height for url, height in heights.items() if height > limit} == {}
