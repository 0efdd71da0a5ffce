"""A session's page: its parts as a list, links to its commits, commands to read on."""

import re
from dataclasses import replace

import pytest

from calmkb.model import Library
from calmkb.wings.site.content.addresses import page_uri
from calmkb.wings.site.staging.stage import stage
from calmkb.wings.site.text.titles import commit_address, summary_parts
from tests.wings.site.sample import ENTRIES, LIBRARY, view

DRAFTED = (
    'Asked: "Fix the parser"; then "now say what Ran `make` means". Found: "It splits at commas". '
    'Changed 2 files (a.py, b.py); committed 1a2b3c4d5 "fix: split at tabs". Ran `make test` '
    '(3 times, passed at last). Ended with: "All green".'
)


def page_of(**fields: object) -> str:
    entry = replace(ENTRIES[0], **fields)
    return stage(Library(sessions=(view(entry),)))[page_uri(entry)]


def test_a_drafted_summary_is_a_list_of_what_was_asked_found_changed_checked_and_ended() -> None:
    firsts = [part.split()[0] for part in summary_parts(DRAFTED)]
    assert firsts == ["Asked:", "Found:", "Changed", "Ran", "Ended"]
    assert " ".join(summary_parts(DRAFTED)) == DRAFTED
    assert '-   Found: "It splits at commas".' in page_of(summary=DRAFTED)


def test_what_is_quoted_begins_no_part_whatever_signs_are_in_it() -> None:
    summary = (
        'Asked: “if item.Type == "text" { Ran `x`”; then "ok". Found: “the "a" Ran `b` case”. '
        'Ran `echo "` (passed). Ended with: "Changed it".'
    )
    firsts = [part.split()[0] for part in summary_parts(summary)]
    assert firsts == ["Asked:", "Found:", "Ran", "Ended"]


def test_a_title_shows_no_backticks() -> None:
    assert "# Fix entire clean\n" in page_of(title="Fix `entire clean`")


def test_a_written_summary_stays_as_it_is_written() -> None:
    written = "Moved the tests. Ran `make` twice. Ended with a question."
    assert summary_parts(written) == [written]


@pytest.mark.parametrize(
    ("repository", "address"),
    [
        ("github.com/ada/shop", "https://github.com/ada/shop/commit/1a2b3c4d"),
        ("gitlab.example.org/a/b/c", "https://gitlab.example.org/a/b/c/-/commit/1a2b3c4d"),
        ("bitbucket.org/ada/shop", "https://bitbucket.org/ada/shop/commits/1a2b3c4d"),
        ("root:1a2b3c4d", ""),
        ("github.com/ada/shop) [x](javascript:alert(1)", ""),
        ("", ""),
    ],
)
def test_a_commit_leads_to_the_host_of_its_repository(repository: str, address: str) -> None:
    assert commit_address(repository, "1a2b3c4d") == address
    linked = f"[`1a2b3c4d`]({address})" in page_of(repository=repository, commits=("1a2b3c4d",))
    assert linked == bool(address)


def test_the_page_gives_the_commands_that_resume_and_show_the_session() -> None:
    page = page_of(session_id="c010174c-a7cd")
    assert ">claude --resume c010174c-a7cd</code>" in page
    assert f">calmkb show {ENTRIES[0].id[:8]}</code>" in page
    assert "--resume" not in page_of(session_id="$(rm -rf ~)")


def test_a_site_of_one_project_does_not_name_it_on_every_row() -> None:
    views = [view(replace(one, project_name="shop")) for one in ENTRIES]
    for pages, named in ((stage(Library(sessions=tuple(views))), False), (stage(LIBRARY), True)):
        for uri in ("index.md", "sessions/index.md"):
            block = re.split(r"## Latest(?: sessions)?\n", pages[uri])[1].split("\n## ")[0]
            assert bool(re.search(r'(calm-meta">|· )(shop|storefront)\b', block)) == named, uri
