"""The feed of a built site: where it has an address, and the same from a second build."""

from dataclasses import replace
from pathlib import Path

import feedparser
import pytest

from calmkb.model import Library
from calmkb.site.builder.build import SiteFolders
from calmkb.site.builder.stage_folder import DOCS, stage_into
from tests.site.conftest import Build, scaffold
from tests.site.hostile import hostile_library
from tests.site.html_pages import broken_links, live, read, read_site
from tests.site.sample import ENTRIES, LIBRARY, USE_PNPM

ADDRESS = "https://example.org/kb/"
FEED = "feed.xml"
REMOVED = ("rss.xml", "feed.json")


@pytest.fixture(scope="module")
def site(build_site: Build) -> Path:
    return build_site(LIBRARY, site_url=ADDRESS)


def path_of(url: str) -> str:
    return url.removeprefix(ADDRESS) + "index.html"


def test_a_feed_reader_gets_what_is_new_with_links_that_lead_somewhere(site: Path) -> None:
    found = feedparser.parse((site / FEED).read_bytes())

    assert not found.bozo
    assert found.feed.title == "Example team"
    assert len(found.entries) == len(LIBRARY.sessions + LIBRARY.memories + LIBRARY.reflections)
    assert "clears the tile cache" in found.entries[0].title
    for entry in found.entries:
        assert (site / path_of(entry.link)).is_file(), entry.link


def test_atom_is_the_one_format(site: Path) -> None:
    assert not any((site / name).exists() for name in REMOVED)


def test_every_page_names_the_feed(site: Path) -> None:
    for path in (site / "index.html", *site.glob("sessions/2026/09/*t*z-*/index.html")):
        named = {
            (path.parent / element.attributes["href"]).resolve()
            for element in read(path).elements
            if element.tag == "link" and element.attributes.get("rel") == "alternate"
        }
        assert named == {(site / name).resolve() for name in (FEED, "decisions.xml", "weeks.xml")}


def test_each_project_has_a_feed_that_its_page_names(site: Path) -> None:
    projects = sorted({one.project_name for one in ENTRIES})
    pages = [path for path in site.glob("projects/*/index.html") if not path.parent.name.isdigit()]
    named = {}
    for path in pages:
        links = [
            element.attributes
            for element in read(path).elements
            if element.tag == "link" and element.attributes.get("rel") == "alternate"
        ]
        (own,) = [one for one in links if "project-" in one["href"]]
        named[(path.parent / own["href"]).resolve()] = own["title"]
    assert len(named) == len(projects)
    for path, title in named.items():
        found = feedparser.parse(path.read_bytes())
        assert not found.bozo and found.entries
        project = title.removesuffix(": what is new")
        for item in found.entries:
            assert project in {tag.term for tag in item.tags}
            assert (site / path_of(item.link)).is_file()


def test_a_site_without_an_address_has_no_feed(build_site: Build) -> None:
    built = build_site(LIBRARY)

    assert not (built / FEED).exists()
    assert FEED not in (built / "index.html").read_text(encoding="utf-8")


def test_the_same_records_give_the_same_feed(site: Path, build_site: Build) -> None:
    again = build_site(LIBRARY, site_url=ADDRESS)

    assert (site / FEED).read_bytes() == (again / FEED).read_bytes()


def test_a_new_record_comes_first(build_site: Build) -> None:
    newer = replace(USE_PNPM, created_at=ENTRIES[-1].created_at.replace(year=2027))
    changed = replace(LIBRARY, memories=(newer, *LIBRARY.memories[:-1]))
    found = feedparser.parse((build_site(changed, site_url=ADDRESS) / FEED).read_bytes())

    assert found.entries[0].title.startswith("Use pnpm for every script")
    assert found.feed.updated.startswith("2027-")


def test_an_empty_journal_has_an_empty_feed_and_hostile_words_stay_words(build_site: Build) -> None:
    empty = build_site(Library(), site_url=ADDRESS)
    hostile = build_site(hostile_library(), site_url=ADDRESS)

    assert feedparser.parse((empty / FEED).read_bytes()).entries == []
    assert broken_links(empty, read_site(empty)) == []
    assert not feedparser.parse((hostile / FEED).read_bytes()).bozo
    assert live(read(hostile / "index.html")) == []


def test_a_stage_for_another_engine_has_the_feed_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scaffold(tmp_path)
    monkeypatch.setenv("SITE_URL", ADDRESS)
    stage = stage_into(SiteFolders(tmp_path, tmp_path, tmp_path / "state"), tmp_path / "stage")

    assert (stage.folder / DOCS / FEED).is_file()
