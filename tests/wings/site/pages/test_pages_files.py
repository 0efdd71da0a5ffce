"""Which sessions changed a file."""

import re
from dataclasses import replace
from html import unescape

from markdown import markdown

from calmkb.model import Library, SessionView
from calmkb.wings.site.content.addresses import file_uri
from calmkb.wings.site.staging.stage import stage
from tests.wings.site.sample import ENTRIES

CART = "src/cart.ts"
VIEWS = tuple(
    SessionView(entry=replace(one, files=(CART, f"src/only-{number}.ts")))
    for number, one in enumerate(ENTRIES[:4])
)


def session_page(pages: dict[str, str], entry_id: str) -> str:
    return next(text for uri, text in pages.items() if f"{entry_id[:8]}.md" in uri)


def test_a_file_leads_to_the_sessions_that_changed_it_and_back() -> None:
    pages = stage(Library(sessions=VIEWS))
    uri = file_uri("storefront", CART)
    assert f"](../{uri})" in pages["files/index.md"] or f"]({uri[6:]})" in pages["files/index.md"]
    assert "2 sessions" in pages["files/index.md"]
    assert "Split the cart reducer" in pages[uri]
    assert "Wrote the nightly" not in pages[uri]  # another project's file of the same path
    assert f"](../../../{uri})" in session_page(pages, ENTRIES[2].id)


def test_a_file_of_one_session_is_named_there_alone() -> None:
    pages = stage(Library(sessions=VIEWS))
    assert "only-2.ts" not in pages["files/index.md"]
    assert "<code>src/only-2.ts</code>" in session_page(pages, ENTRIES[2].id)


def test_a_file_is_shown_with_its_own_signs() -> None:
    names = ("src/cart_test.ts", "src/*odd*.ts", "src/a`b|c.ts")
    both = tuple(SessionView(entry=replace(one, files=names)) for one in (ENTRIES[0], ENTRIES[2]))
    for pages in (stage(Library(sessions=both)), stage(Library(sessions=both[:1]))):
        for text in (session_page(pages, ENTRIES[0].id), pages.get("files/index.md", "")):
            shown = unescape(re.sub(r"<[^>]+>", "", markdown(text, extensions=["md_in_html"])))
            assert not shown or all(name in shown for name in names)


def test_without_changed_files_there_is_no_page_of_files() -> None:
    assert not any(
        uri.startswith("files/")
        for uri in stage(Library(sessions=(SessionView(entry=ENTRIES[0]),)))
    )
