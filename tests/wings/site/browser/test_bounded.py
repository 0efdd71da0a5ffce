"""However long a journal lasts, each page is at most eight screens of a phone."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from mkdocs.commands.build import build
from mkdocs.config import load_config
from playwright.sync_api import Browser

from calmkb.model import CATEGORIES, Evidence, Library, Theme
from calmkb.wings.site.builder.build import SiteFolders
from calmkb.wings.site.builder.rendering.markdown import url_of
from calmkb.wings.site.builder.stage_folder import stage_into
from calmkb.wings.site.content.catalogue import Catalogue
from calmkb.wings.site.mkdocs_plugin import CalmkbPlugin
from calmkb.wings.site.pages.table import pages
from tests.wings.site import sample
from tests.wings.site.browsing import BROWSER, PHONE, serve, without_search
from tests.wings.site.conftest import scaffold

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
def longest(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """The site of the two longest pages of each kind, without the hundreds that they lead to."""
    folder, library = tmp_path_factory.mktemp("kb"), long_library()
    scaffold(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(CalmkbPlugin, "read", lambda self, config: library)
        stage_into(SiteFolders(folder, folder, folder / "state"), folder / "stage")
    docs, kinds = folder / "stage" / "docs", dict[str, list[str]]()
    for page in pages(Catalogue(library)):
        kinds.setdefault(page.template, []).append(page.uri)
    kept = [
        uri
        for uris in kinds.values()
        for uri in sorted(uris, key=lambda uri: (docs / uri).stat().st_size)[-2:]
    ]
    for path in docs.rglob("*.md"):
        if path.relative_to(docs).as_posix() not in kept:
            path.unlink()
    build(load_config(str(folder / "stage" / "mkdocs.yml"), site_dir=str(folder / "site")))
    return without_search(folder / "site"), [url_of(uri, directory_urls=True) for uri in kept]


def test_no_kind_of_page_is_longer_than_eight_screens(
    browser: Browser, longest: tuple[Path, list[str]]
) -> None:
    built, urls = longest
    tab = browser.new_page(viewport=PHONE)
    heights: dict[str, int] = {}
    for site in serve(built):
        for url in urls:
            tab.goto(f"{site}/{url}")
            heights[url] = tab.evaluate("document.documentElement.scrollHeight")
    tab.close()
    limit = SCREENS * PHONE["height"]
    assert len(heights) > 32
    assert {url: height for url, height in heights.items() if height > limit} == {}
