"""A page a week at an address that never changes, with a summary that anybody can paste."""

import re
from dataclasses import replace
from datetime import UTC, date, datetime

from calmkb.model import Library, NextStep, SessionView
from calmkb.wings.site.content.catalogue import Catalogue
from calmkb.wings.site.content.friction import Friction
from calmkb.wings.site.content.week_summary import week_summary, words
from calmkb.wings.site.content.weeks import weeks
from calmkb.wings.site.staging.stage import stage
from tests.wings.site.sample import ENTRIES, LIBRARY, made_id

STEPS = (
    NextStep(
        id="aaaaaaaa",
        text="Ask @ada for a dark style, see #12.",
        entry=ENTRIES[7].id,
        project="atlas",
        since=ENTRIES[7].created_at,
        named=ENTRIES[7].created_at,
    ),
    NextStep(
        id="bbbbbbbb",
        text="Tell the team about the split.",
        entry=ENTRIES[2].id,
        project="storefront",
        since=ENTRIES[2].created_at,
        named=ENTRIES[2].created_at,
        done_at=datetime(2026, 10, 9, tzinfo=UTC),
        done_in=ENTRIES[7].id,
    ),
)
AUTHORS = {one.id: "ada@example.org" for one in ENTRIES}
WEEK = replace(LIBRARY, steps=STEPS, authors=AUTHORS, today=date(2026, 10, 17))
PAGES = stage(WEEK)


def found(library: Library = WEEK) -> dict[str, str]:
    catalogue = Catalogue(library)
    return {week.name: week_summary(week) for week in weeks(catalogue, Friction(catalogue))}


def test_each_week_with_a_record_has_a_page_and_the_list_leads_to_it() -> None:
    names = {uri for uri in PAGES if uri.startswith("weeks/2026")}

    assert names == {f"weeks/2026-W{n}.md" for n in (39, 40, 41, 42)}
    assert "[5\u201311 Oct 2026](2026-W41.md)" in PAGES["weeks/index.md"]


def test_a_week_tells_what_happened_what_was_learnt_decided_and_is_open() -> None:
    page = PAGES["weeks/2026-W41.md"]

    assert (
        "# 5\u201311 Oct 2026\n\n3 sessions, 4 the week before"
        " · in atlas 1, ledger 1, storefront 1 · by ada\n" in page
    )
    for heading in ("Learnt", "Decided", "Friction", "Open", "Done", "Sessions", "To paste"):
        assert f"## {heading}\n" in page
    assert 'calm-badge--back">came back</span>' in page
    assert "[Earlier week](2026-W40.md)" in page
    assert "[Later week](2026-W42.md)" in page


def test_the_summary_is_markdown_that_pings_nobody() -> None:
    summary = found()["2026-W41"]

    assert summary.startswith("**5\u201311 Oct 2026** (week 2026-W41)\n\n3 sessions, 4 the")
    assert "By ada 3." in summary
    assert "- Ask `@ada` for a dark style, see `#12`. (atlas)" in summary
    assert "- came back: npm test hung" in summary


def test_hostile_words_stay_words_in_the_summary() -> None:
    said = words("![x](https://example.org/x.png) <img src=x> **@here** closes #1")

    assert "](" not in said.replace("\\]", "")
    assert "<img" not in said.replace("\\<", "")
    assert "`@here`" in said


def test_names_and_commands_are_pasted_as_they_are_written() -> None:
    assert words("phase_postcommit fails in make check 2>&1 | tail") == (
        "phase_postcommit fails in make check 2>&1 | tail"
    )
    assert words("_private_ and __init__") == r"\_private\_ and \_\_init\_\_"


def test_a_trouble_is_new_in_the_week_of_its_first_session_and_comes_again_later() -> None:
    database = r"database container.*calm-badge--{}"
    assert re.search(database.format('new">new'), PAGES["weeks/2026-W39.md"])
    assert re.search(database.format('open">again'), PAGES["weeks/2026-W42.md"])


def test_a_step_of_a_week_leads_to_the_session_that_named_it() -> None:
    assert "[Ask @ada for a dark style, see #12.](../sessions/" in PAGES["weeks/2026-W41.md"]


def test_what_a_week_leaves_out_is_a_link() -> None:
    many = tuple(
        SessionView(entry=replace(ENTRIES[0], id=made_id(f"w{n}"), friction_points=()))
        for n in range(40)
    )
    page = next(text for uri, text in stage(Library(sessions=many)).items() if "2026-W" in uri)
    assert "… and [10 more sessions](../sessions/index.md)." in page
