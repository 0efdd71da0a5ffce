"""Links between source files become links between built pages, for either form of address."""

import pytest

from calmkb.wings.site.builder.rendering.markdown import url_of, with_page_links
from calmkb.wings.site.content.addresses import relative


@pytest.mark.parametrize(
    ("uri", "folders", "files"),
    [
        ("index.md", "", "index.html"),
        ("friction.md", "friction/", "friction.html"),
        ("sessions/index.md", "sessions/", "sessions/index.html"),
        ("sessions/2026/10/a b.md", "sessions/2026/10/a%20b/", "sessions/2026/10/a%20b.html"),
    ],
)
def test_a_page_has_the_address_that_mkdocs_would_give_it(
    uri: str, folders: str, files: str
) -> None:
    assert url_of(uri, True) == folders
    assert url_of(uri, False) == files


def test_a_link_leads_from_page_to_page() -> None:
    html = '<a href="../../memories/fact/m.md#why">m</a> <a href="../../index.md">home</a>'

    assert with_page_links(html, "sessions/2026/s.md", True) == (
        '<a href="../../../memories/fact/m/#why">m</a> <a href="../../../">home</a>'
    )
    assert with_page_links(html, "sessions/2026/s.md", False) == (
        '<a href="../../memories/fact/m.html#why">m</a> <a href="../../index.html">home</a>'
    )


def test_other_links_are_left_alone() -> None:
    html = '<a href="https://example.org/x.md">x</a> <a href="#y">y</a> <img src="x.md">'

    assert with_page_links(html, "index.md", True) == html


def test_a_page_links_to_itself_and_to_the_front() -> None:
    assert relative("friction/", "friction/") == "./"
    assert relative("", "") == "./"
    assert relative("", "a/") == "../"
