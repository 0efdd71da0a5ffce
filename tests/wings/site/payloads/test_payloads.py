"""Five thousand hostile texts that others keep, in every field: the site shows them and no more."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from defusedxml import ElementTree
from mkdocs.config import load_config

from calmkb.model import Library
from calmkb.redact.invisible import show_invisible
from calmkb.wings.site.builder.check import check_site
from calmkb.wings.site.builder.rendering.markdown import Dialect, body
from calmkb.wings.site.content.catalogue import Catalogue
from calmkb.wings.site.text.sanitize import headline, label, line
from tests.wings.site.conftest import Build, scaffold
from tests.wings.site.html_pages import Element, Parsed, live, parse, read_site
from tests.wings.site.payloads.lists import MISSING, MODULES, payloads, telling
from tests.wings.site.payloads.records import one_line
from tests.wings.site.payloads.site import library, payload_site

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not MODULES.is_dir(), reason=MISSING),
    pytest.mark.xdist_group("payloads"),  # one site for all
]
# What our pages are made of, and what Markdown that a record may use turns into.
MADE_OF = {
    *("a", "article", "blockquote", "br", "code", "em", "h1", "h2", "h3", "hr", "li", "ol", "p"),
    *(
        "pre",
        "span",
        "strong",
        "ul",
        "div",
        "nav",
        "meter",
        "time",
        "details",
        "summary",
        "section",
    ),
    *("table", "thead", "tbody", "tr", "th", "td", "figure", "figcaption", "svg", "g", "rect"),
    *("line", "path", "polyline", "circle", "text", "tspan", "desc"),
    "wbr",
}
MARKDOWN = re.compile(r"[`*\t]|\]\(|^\s*([#>|~]|[-+]\s|\d+[.)]\s)|\n\s|\s\n", re.MULTILINE)


@pytest.fixture(scope="module")
def site(build_site: Build, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return payload_site(build_site, tmp_path_factory)


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[str, Parsed]:
    return read_site(site)


def words(text: str) -> str:
    """The text as a page may show it: what nobody sees is named, blanks are one."""
    return " ".join(show_invisible(text).split())


def test_the_lists_are_long() -> None:
    assert len(payloads()) > 5_000
    assert len(telling()) > 500


def test_the_products_own_check_finds_no_fault(site: Path) -> None:
    assert [one for one in check_site(site).findings if one.fault] == []


def test_nothing_on_any_page_is_live(pages: dict[str, Parsed]) -> None:
    found = {name: live(page) for name, page in pages.items()}

    assert {name: what for name, what in found.items() if what} == {}


def test_a_page_is_made_of_our_own_elements_alone(pages: dict[str, Parsed]) -> None:
    """A payload that got through as markup would be sieved; it must not have been markup at all."""
    for name, page in pages.items():
        assert {element.tag for element in page.article} <= MADE_OF, name
        for element in page.article:
            classes = element.attributes.get("class", "")
            assert element.tag != "div" or classes.startswith("calm-"), f"{name}: {element}"
            assert not element.attributes.get("id", "").startswith("__"), f"{name}: {element}"


def test_the_head_of_a_page_is_that_of_any_other(pages: dict[str, Parsed]) -> None:
    usual = {"meta", "link", "script", "title", "style"}
    for name, page in pages.items():
        head = page.elements[: page.elements.index(page.first("body"))]
        assert {element.tag for element in head} - {"html", "head"} <= usual, name
        assert [element.tag for element in head].count("title") == 1, name
        for element in head:
            assert not any(key.startswith("on") for key in element.attributes), name
            assert element.attributes.get("http-equiv", "Content-Security-Policy") == (
                "Content-Security-Policy"
            ), name


def shown_on(library: Library, pages: dict[str, Parsed]) -> Iterator[tuple[str, str, str]]:
    """Yield page, its words, and a text that must be among them."""
    at = Catalogue(library).addresses

    def told(record: str) -> tuple[str, str]:
        name = at[record].removesuffix(".md") + "/index.html"
        return name, " ".join(pages[name].text.split())

    for view in library.sessions:
        entry = view.entry
        name, text = told(entry.id)
        prosaic = [entry.summary, *entry.friction_points, *entry.next_steps]
        prosaic += [section.text for section in entry.sections]
        for one in (*lines([section.heading for section in entry.sections], 120), *plain(prosaic)):
            yield name, text, one
        for one in (*lines([entry.agent], 60), *lines([entry.session_id], 80)):
            yield name, text, one
    for memory in library.memories:
        name, text = told(memory.id)
        quotes = [evidence.quote for evidence in memory.evidence]
        for one in (*plain([memory.why, *quotes]), *lines([memory.scope, *memory.tags], 60)):
            yield name, text, one
    for reflection in library.reflections:
        name, text = told(reflection.id)
        reasons = [rejection.reason for rejection in reflection.rejected]
        texts = [rejection.text for rejection in reflection.rejected]
        for one in (*lines(reasons, 400), *plain(texts)):
            yield name, text, one


def lines(texts: list[str], limit: int) -> Iterator[str]:
    """What a field of one line shows: the text, whatever it is, where it is not cut."""
    yield from (found for text in texts if len(found := words(text)) <= limit)


def plain(texts: list[str]) -> Iterator[str]:
    """What prose shows of texts without Markdown: the same words."""
    yield from (words(text) for text in texts if not MARKDOWN.search(text))


def test_every_text_is_shown_as_the_words_it_is(pages: dict[str, Parsed]) -> None:
    looked = 0
    for name, text, one in shown_on(library(), pages):
        looked += 1
        assert one in text, name
    assert looked > 15_000


def test_search_holds_words_in_paragraphs_alone(site: Path) -> None:
    index = json.loads((site / "search/search_index.json").read_text(encoding="utf-8"))

    made = [one for one in index["docs"] if not one["location"].startswith("about/")]
    assert len(made) > 600
    for document in made:
        for part in (document["title"], *document.get("tags", [])):
            assert parse(part).elements == [], document["location"]
        for element in parse(document["text"]).elements:
            assert element == Element("p", {}), document["location"]


def test_the_site_map_is_sound_and_holds_nothing_live(site: Path) -> None:
    found = sorted(site.glob("*.xml"))

    assert {"sitemap.xml"} <= {path.name for path in found}
    for path in found:
        for element in ElementTree.parse(path).iter():
            kind = element.get("type", "")
            text = element.text or ""
            if kind == "html":
                assert live(parse(f"<article>{text}</article>")) == [], path.name
            assert not element.get("href", "").startswith("javascript:"), path.name


def test_a_title_of_any_payload_is_one_text() -> None:
    """Themes copy front matter into HTML as it stands."""
    for text in payloads():
        for written in (label(headline(text), 120), label(text, 120)):
            page = parse(f'<title>{written}</title><meta content="{written}">')
            assert [element.tag for element in page.elements] == ["title", "meta"], text
            assert list(page.elements[1].attributes) == ["content"], text
            assert page.title == page.elements[1].attributes["content"], text
            assert "{{" not in written, text


def test_a_heading_a_list_item_and_an_attribute_of_any_payload_are_one_text(
    tmp_path: Path,
) -> None:
    scaffold(tmp_path)
    config = load_config(str(tmp_path / "mkdocs.yml"))
    config = config.plugins.on_config(config)
    dialect = Dialect(
        tuple(config.markdown_extensions), config.mdx_configs, config.use_directory_urls
    )
    for at in range(0, len(payloads()), 100):
        batch = [one_line(text) for text in payloads()[at : at + 100]]
        html = body(dialect, "x.md", "\n".join(map(piece, batch)))
        page = parse(f"<article>{html}</article>")
        ours = ("a", "article", "wbr")
        tags = [element.tag for element in page.article if element.tag not in ours]
        told = " ".join(page.text.split())
        assert tags == ["h2", "div", "ul", "li", "meter", "span"] * len(batch), batch
        for text in batch:
            shown = words(text)
            assert len(shown) > 120 or told.count(shown) >= 2, text


def piece(text: str) -> str:
    """A payload where the templates put the text of one line."""
    return (
        f'## {line(text, 120)} {{ #x }}\n\n<div class="calm-rows" markdown>\n\n'
        f'-   <meter title="{line(text, 120)}"></meter> <span>{line(text, 120)}</span>\n\n</div>\n'
    )
