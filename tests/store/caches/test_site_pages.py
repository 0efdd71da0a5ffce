"""The cache of staged pages keeps what it is given, and is never in the way when it is broken."""

from pathlib import Path

import pytest

from calmkb.errors import StoreError
from calmkb.wings.site.builder.cache import open_site_pages
from calmkb.wings.site.staging.stage import StagedText, Staging

URI = "sessions/a.md"
PAGE = StagedText("---\n---\n\n# A\n", "A", "words of a")
STAGING = Staging({URI: "f1"}, {URI: PAGE})


def test_pages_are_kept_between_processes(tmp_path: Path) -> None:
    first = open_site_pages(tmp_path / "new" / "site.sqlite")
    first.update(Staging({URI: "f1", "b.md": "f2"}, {URI: PAGE, "b.md": StagedText("# B")}))
    first.close()
    again = open_site_pages(tmp_path / "new" / "site.sqlite")

    assert again.fingerprints() == {"sessions/a.md": "f1", "b.md": "f2"}
    assert again.text("sessions/a.md") == PAGE.text
    assert list(again.words()) == [("sessions/a.md", "A", "words of a", "")]
    again.close()


def test_a_page_that_is_gone_is_forgotten(tmp_path: Path) -> None:
    pages = open_site_pages(tmp_path / "site.sqlite")
    pages.update(STAGING)
    pages.update(Staging({}, {}, gone=(URI,)))

    assert pages.fingerprints() == {}
    assert list(pages.words()) == []
    pages.close()


@pytest.mark.parametrize("content", [b"", b"not a database at all" * 500, b"SQLite format 3\x00xx"])
def test_a_broken_cache_is_begun_anew(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "site.sqlite"
    path.write_bytes(content)
    pages = open_site_pages(path)
    pages.update(STAGING)

    assert pages.text(URI) == PAGE.text
    pages.close()


def test_a_second_build_at_the_same_time_does_without(tmp_path: Path) -> None:
    first = open_site_pages(tmp_path / "site.sqlite")
    first.update(STAGING)
    second = open_site_pages(tmp_path / "site.sqlite")

    assert second.fingerprints() == {}
    second.close()
    first.close()
    third = open_site_pages(tmp_path / "site.sqlite")
    assert third.fingerprints() == {URI: "f1"}
    third.close()


def test_a_cache_can_be_begun_anew(tmp_path: Path) -> None:
    first = open_site_pages(tmp_path / "site.sqlite")
    first.update(STAGING)
    first.close()
    second = open_site_pages(tmp_path / "site.sqlite", rebuild=True)

    assert second.fingerprints() == {}
    second.close()


def test_a_disk_that_is_full_is_told_with_what_fixes_it(tmp_path: Path) -> None:
    pages = open_site_pages(tmp_path / "site.sqlite")
    pages._connection.execute("PRAGMA max_page_count = 10")

    names = [f"{n}.md" for n in range(50)]
    with pytest.raises(StoreError, match=r"full.*calmkb site build --rebuild"):
        pages.update(
            Staging(dict.fromkeys(names, "f"), dict.fromkeys(names, StagedText("x" * 10_000)))
        )
    assert pages.fingerprints() == {}
    pages.close()


def test_a_folder_that_cannot_be_made_costs_only_the_saving(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    pages = open_site_pages(tmp_path / "file" / "site.sqlite")
    pages.update(STAGING)

    assert pages.fingerprints() == {URI: "f1"}
    pages.close()
