"""Real builds with the real MkDocs: strict, from several starts, with a user's own pages."""

import json
import logging
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from mkdocs.config import load_config

from calmkb.model import Library
from calmkb.wings.site.mkdocs_plugin import CalmkbPlugin
from tests.wings.site.conftest import Build, Shared, scaffold
from tests.wings.site.html_pages import EMBEDDING, Parsed, broken_links, live, read, read_site
from tests.wings.site.sample import LIBRARY


@pytest.fixture(scope="module")
def site(shared_site: Shared) -> Path:
    return shared_site("sample")


@pytest.fixture(scope="module")
def hostile_site(shared_site: Shared) -> Path:
    return shared_site("hostile")


def test_every_link_of_a_strict_build_resolves(site: Path) -> None:
    pages = read_site(site)

    assert len(pages) > 30
    assert broken_links(site, pages) == []


def test_headings_are_in_order_and_each_page_has_one_title(site: Path) -> None:
    for name, page in read_site(site).items():
        if name == "404.html":
            continue  # a page of its own, without the theme
        levels = page.headings
        assert levels.count(1) == 1, name
        assert all(b - a <= 1 for a, b in pairwise(levels)), name


def test_no_page_asks_another_host_for_anything(site: Path) -> None:
    for name, page in read_site(site).items():
        for element in page.elements:
            fetched = element.attributes.get("src", "")
            if element.tag == "link":
                fetched = element.attributes["href"]
            assert not fetched.startswith(("http", "//")), f"{name}: {fetched}"


def test_no_payload_in_any_field_is_live(hostile_site: Path) -> None:
    for name, page in read_site(hostile_site).items():
        assert live(page) == [], name


def test_payloads_are_shown_as_the_words_they_are(hostile_site: Path) -> None:
    page = read(next(hostile_site.glob("sessions/2026/09/*/index.html")))

    assert "<script>alert(1)</script>" in page.text
    assert "{{ config }}" in page.text
    assert "\u2039U+202E\u203agnp.exe" in page.text
    assert "\u202e" not in page.text


def test_payloads_add_nothing_to_the_frame_around_the_page(hostile_site: Path) -> None:
    """The frame of a page of ours without record text is the measure: the same scripts, no more."""
    usual = scripts(read(hostile_site / "about/index.html"))
    for name, page in read_site(hostile_site).items():
        assert scripts(page) <= usual, name
        handlers = [e for e in page.elements for key in e.attributes if key.startswith("on")]
        assert handlers == [], name


def scripts(page: Parsed) -> Counter[tuple[str, str]]:
    found: Counter[tuple[str, str]] = Counter()
    for element in page.elements:
        if element.tag in EMBEDDING:
            source = element.attributes.get("src", "")
            found[element.tag, source.rsplit("/", 1)[-1]] += 1
    return found


def test_payloads_cannot_end_the_title(hostile_site: Path) -> None:
    for name, page in read_site(hostile_site).items():
        titles = [element for element in page.elements if element.tag == "title"]
        assert len(titles) == 1, name


def test_payloads_stay_words_in_the_search_index(hostile_site: Path) -> None:
    index = json.loads((hostile_site / "search/search_index.json").read_text(encoding="utf-8"))
    for document in index["docs"]:
        for part in (document["title"], document["text"], *document.get("tags", [])):
            assert "<script" not in part
            assert "<img" not in part


def test_a_hostile_library_still_builds_strictly_with_links_that_resolve(
    hostile_site: Path,
) -> None:
    assert broken_links(hostile_site, read_site(hostile_site)) == []


def test_a_page_of_the_users_own_is_kept(
    build_site: Build, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, logger="mkdocs.plugins"):
        built = build_site(LIBRARY, pages={"index.md": '# Ours\n\n<b onclick="x()">kept</b>'})

    home = (built / "index.html").read_text(encoding="utf-8")
    assert '<b onclick="x()">kept</b>' in home
    assert "What we have learnt" not in home
    assert "index.md is your own page" in caplog.text


def test_a_nav_of_the_users_own_is_kept(build_site: Build) -> None:
    built = build_site(Library(), extra="nav:\n  - Start: index.md\n")

    tabs = [e for e in read(built / "index.html").elements if "md-tabs__link" in str(e.attributes)]
    assert len(tabs) == 1


def test_an_empty_knowledge_base_builds_strictly(build_site: Build) -> None:
    built = build_site(Library())

    assert "calmkb wrapup" in (built / "index.html").read_text(encoding="utf-8")
    assert broken_links(built, read_site(built)) == []


def test_a_site_for_a_folder_links_to_files(shared_site: Shared) -> None:
    built = shared_site("offline")

    pages = read_site(built)
    assert (built / "sessions" / "index.html").is_file()
    assert (built / "friction.html").is_file()
    assert broken_links(built, pages) == []
    assert not any(link.endswith("/") for link in pages["index.html"].links if "://" not in link)


def test_a_build_without_records_of_the_users_says_nothing_but_the_usual(
    build_site: Build, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, logger="mkdocs"):
        build_site(LIBRARY)

    usual = ("Cleaning site", "Building documentation", "Documentation built")
    assert [r.message for r in caplog.records if not r.message.startswith(usual)] == []


class WatchedServer:
    def __init__(self) -> None:
        self.watched: list[str] = []

    def watch(self, path: str) -> None:
        self.watched.append(path)


def test_serving_watches_the_journal_even_before_the_first_record(tmp_path: Path) -> None:
    scaffold(tmp_path)
    config = load_config(str(tmp_path / "mkdocs.yml"))
    plugin = config.plugins["calmkb"]
    server = WatchedServer()

    assert isinstance(plugin, CalmkbPlugin)
    plugin.on_serve(server, config=config, builder=None)
    assert server.watched == [str(tmp_path / "journal")]
    assert (tmp_path / "journal").is_dir()


def test_another_root_can_be_named(tmp_path: Path) -> None:
    scaffold(tmp_path)
    (tmp_path / "kb").mkdir()
    settings = tmp_path / "mkdocs.yml"
    settings.write_text(settings.read_text().replace("- calmkb", "- calmkb:\n      root: kb"))
    config = load_config(str(settings))
    server = WatchedServer()

    config.plugins["calmkb"].on_serve(server, config=config, builder=None)
    assert server.watched == [str(tmp_path / "kb" / "journal")]
