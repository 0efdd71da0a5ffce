"""Around a page stands what leads elsewhere: tabs, and the way back to the lists it is in."""

from dataclasses import replace
from pathlib import Path
from urllib.parse import urljoin

import pytest
from selectolax.lexbor import LexborHTMLParser

from calmkb.wings.site.content.addresses import page_uri
from tests.wings.site.conftest import Build, Shared
from tests.wings.site.html_pages import read, read_site
from tests.wings.site.sample import LIBRARY


@pytest.fixture(scope="module")
def site(shared_site: Shared) -> Path:
    return shared_site("sample")


def test_the_tabs_lead_to_the_same_pages_from_wherever_one_is(site: Path) -> None:
    tabs = {}
    for name, page in read_site(site).items():
        found = [
            urljoin(f"/{name}", element.attributes["href"])
            for element in page.elements
            if element.attributes.get("class") == "md-tabs__link"
        ]
        if name != "404.html":
            tabs[name] = tuple(link.removesuffix("index.html") for link in found)

    assert len(set(tabs.values())) == 1, tabs
    assert "/told/" in tabs["index.html"]


def test_a_page_of_a_record_names_the_lists_it_is_in(site: Path) -> None:
    session = next(site.glob("sessions/2026/09/*t*z-*/index.html"))
    crumbs = session.read_text(encoding="utf-8").split('class="calm-crumbs"')[1].split("</p>")[0]

    assert '<a href="../../../">Sessions</a>' in crumbs
    assert '<a href="../">September 2026</a>' in crumbs
    assert read(site / "projects/index.html").title.startswith("Projects")


def test_a_link_that_is_pasted_shows_a_card(shared_site: Shared) -> None:
    built = shared_site("addressed")
    cards = {}
    for page in built.rglob("index.html"):
        place = page.parent.relative_to(built).as_posix()
        tree = LexborHTMLParser(page.read_text())
        found = {
            node.attributes["property"]: node.attributes["content"]
            for node in tree.css("meta[property^='og:']")
        }
        assert found["og:title"], place
        assert found["og:url"].startswith("https://example.org/team/kb/"), place
        assert found.get("og:description") or place == "about", place
        cards[place] = found
    memory = next(card for place, card in cards.items() if place.startswith("memories/fact/2"))
    assert memory["og:title"].startswith("Amounts are whole cents")
    assert memory["og:description"].startswith("Memory (fact), applies to ")


@pytest.mark.parametrize(
    ("repository", "file", "history"),
    [
        ("https://github.com/t/kb", "blob/HEAD", "commits/HEAD"),
        ("https://gitlab.example.org/t/kb/", "-/blob/HEAD", "-/commits/HEAD"),
    ],
)
def test_a_record_leads_to_its_file_and_its_history(
    build_site: Build, repository: str, file: str, history: str
) -> None:
    memory = LIBRARY.memories[0]
    place = "kb/journal/memories/fact/a b.md"
    library = replace(LIBRARY, files={memory.id: place})
    built = build_site(library, repo_url=repository)
    text = (built / page_uri(memory).removesuffix(".md") / "index.html").read_text()
    links = {a.text(): a.attributes["href"] for a in LexborHTMLParser(text).css(".calm-file a")}

    base = repository.rstrip("/")
    path = "kb/journal/memories/fact/a%20b.md"
    assert links == {"File": f"{base}/{file}/{path}", "History": f"{base}/{history}/{path}"}
    assert place in text


def test_without_a_repository_a_record_names_its_file_alone(site: Path) -> None:
    assert "calm-file" not in "".join(path.read_text() for path in site.rglob("index.html"))
