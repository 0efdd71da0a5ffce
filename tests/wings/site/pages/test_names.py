"""People by their names, and lists of projects of any length."""

from dataclasses import replace

from calmkb.model import Library, SessionView
from calmkb.wings.site.staging.stage import stage
from calmkb.wings.site.text.words import names_of
from tests.wings.site import sample
from tests.wings.site.sample import ENTRIES, IN_UTC, LIBRARY, USE_PNPM

PAGES = stage(LIBRARY)


def test_people_are_named_without_the_host_of_their_mail() -> None:
    assert "Approved by</span> <span>reviewer</span>" in "".join(PAGES.values())
    assert not any("example.org" in text for uri, text in PAGES.items() if "sessions" not in uri)


def test_two_of_one_name_stay_apart() -> None:
    found = names_of(["ann@b.example", "ann@a.example", "Ann", "", " ", "ann@b.example"])

    assert found == {"Ann": "Ann", "ann@a.example": "ann (2)", "ann@b.example": "ann (3)"}


def test_a_second_person_of_a_name_is_told_on_the_pages_of_both() -> None:
    other = replace(IN_UTC, approved_by="reviewer@another.example")
    library = replace(LIBRARY, memories=(USE_PNPM, other))
    pages = stage(library)
    found = {name: text for uri, text in pages.items() for name in [uri.split("/")[-1]] if text}

    named = [text for uri, text in found.items() if USE_PNPM.id[:8] in uri]
    assert "Approved by</span> <span>reviewer (2)</span>" in named[0]
    assert "another.example" not in "".join(pages.values())


def test_projects_have_a_list_of_many_pages() -> None:
    views = [
        SessionView(entry=replace(ENTRIES[0], id=sample.made_id(f"p{n}"), project_name=f"p{n}"))
        for n in range(650)
    ]
    pages = stage(Library(sessions=tuple(views)))

    assert "650 projects" in pages["projects/index.md"]
    assert "Page 2 of 9" in pages["projects/2.md"]
    assert "[Newer](index.md) · Page 2 of 9 · [Older](3.md)" in pages["projects/2.md"]
    assert (
        sum(pages[f"projects/{name}.md"].count("](p") for name in ("index", *range(2, 10))) == 650
    )
    assert len(pages["sessions/index.md"]) < 20_000
