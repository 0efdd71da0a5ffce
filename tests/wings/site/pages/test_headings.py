"""A page is declared in one place: title, description, search and navigation."""

import pytest

from calmkb.wings.site.content.catalogue import Catalogue
from calmkb.wings.site.pages.page import LONGEST_SEARCH_TEXT, Page
from calmkb.wings.site.pages.table import pages
from calmkb.wings.site.staging.stage import restage
from tests.wings.site.sample import LIBRARY


def test_every_page_but_the_front_page_has_a_title() -> None:
    untitled = [page.uri for page in pages(Catalogue(LIBRARY)) if not page.heading]

    assert untitled == ["index.md"]


@pytest.mark.parametrize(
    ("named", "front"),
    [
        ({}, {}),
        ({"title": "<Glossary>"}, {"title": "&lt;Glossary&gt;"}),
        ({"title": "{{ x }}"}, {"title": "&#123;&#123; x &#125;&#125;"}),
        (
            {"statement": "Cents, not floats. Always."},
            {"title": "Cents, not floats.", "description": "Cents, not floats."},
        ),
        ({"title": "T", "statement": "S"}, {"title": "T", "description": "S"}),
        ({"title": "T", "file": 'a"\udcff.md'}, {"title": "T", "record_file": "a%22%3F.md"}),
        ({"statement": "a\u202eb"}, {"title": "a‹U+202E›b", "description": "a‹U+202E›b"}),
    ],
)
def test_a_page_is_named_by_its_title_or_by_its_statement(
    named: dict[str, str], front: dict[str, str]
) -> None:
    assert Page("glossary.md", "glossary", **named).front_matter == front


@pytest.mark.parametrize(
    ("texts", "found"),
    [
        ((), ""),
        (("", " \n"), ""),
        (("one\n two", "three"), "one two\nthree"),
        (("x\u200by",), "x‹U+200B›y"),
        (("word " * LONGEST_SEARCH_TEXT,), ("word " * LONGEST_SEARCH_TEXT)[:LONGEST_SEARCH_TEXT]),
    ],
)
def test_search_gets_a_line_for_each_text_of_a_page(texts: tuple[str, ...], found: str) -> None:
    assert Page("a.md", "a", search=texts).search_text == found


def test_the_navigation_is_that_of_the_declared_pages_in_their_order() -> None:
    nav = restage(Catalogue(LIBRARY), {}).nav

    assert [label for label, _ in nav] == [
        *(
            "Home",
            "Weeks",
            "Sessions",
            "Projects",
            "Friction",
            "Memories",
            "Reflections",
            "Improvements",
        ),
        "What agents read",
    ]
