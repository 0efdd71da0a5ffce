"""Search knows what people look for, in little enough for a phone."""

from dataclasses import replace

from calmkb.model import Library, SessionView
from calmkb.site.content.catalogue import Catalogue
from calmkb.site.pages.search_documents import (
    BUDGET,
    LONGEST,
    SHORTEST,
    SearchDocument,
    cut,
    length_for,
)
from calmkb.site.pages.stage import restage
from tests.site.sample import ENTRIES, LIBRARY, PNPM


def documents(library: Library) -> dict[str, SearchDocument]:
    printed = restage(Catalogue(library), {}).printed
    return {uri: page.search for uri, page in printed.items() if page.search}


def test_what_chafed_in_a_session_stands_before_its_summary() -> None:
    library = Library(sessions=(SessionView(entry=ENTRIES[0]),))
    found = next(d for d in documents(library).values() if d.title.startswith("Moved the checkout"))

    assert found.text.startswith(PNPM)
    assert "storefront" in found.text


def test_sessions_memories_and_what_was_rejected_are_found_and_lists_are_not() -> None:
    found = documents(LIBRARY)

    assert any("Use pnpm for every script" in document.text for document in found.values())
    assert any("Always run the tests twice." in document.text for document in found.values())
    assert found["friction/pnpm.md"].text.startswith("`npm test` hung")
    records = ("sessions/2", "memories/", "reflections/2", "friction/")
    assert all(uri.startswith(records) for uri in found)


def test_invisible_characters_are_shown_in_search_too() -> None:
    entry = replace(ENTRIES[0], summary="fine\u202egnp.exe")
    found = documents(Library(sessions=(SessionView(entry=entry),)))

    assert "\u202e" not in "".join(d.title + d.text for d in found.values())


def test_a_large_journal_keeps_less_of_each_page() -> None:
    assert length_for(1) == LONGEST
    assert length_for(10_000) * 10_000 <= BUDGET
    assert length_for(10**9) == SHORTEST


def test_a_cut_falls_between_words() -> None:
    document = SearchDocument("t", "one two three")

    assert cut(document, 9).text == "one two"
    assert cut(document, 99) is document
