"""The front page answers: what should I do this morning, and what changed in a week?"""

import re
from dataclasses import replace
from datetime import date, timedelta

import pytest

from calmkb.model import Doubt, Library, SessionView
from calmkb.wings.site.content.theme_states import recent_weight, state_of
from calmkb.wings.site.staging.stage import stage
from tests.wings.site import sample
from tests.wings.site.sample import CENTS, ENTRIES, LIBRARY, START, USE_PNPM

TODAY = date(2026, 10, 17)
HOME = stage(replace(LIBRARY, today=TODAY, proposed=2, doubts=(Doubt(CENTS.id, "stale"),)))


def to_do(library: Library) -> str:
    home = stage(library)["index.md"]
    return home[home.index("## To do") : home.index("## The last seven days")]


def test_what_waits_comes_first_each_row_a_link_or_a_command() -> None:
    block = HOME["index.md"].partition("## The last")[0]
    rows = re.findall(r"^-   (.+)$", block, re.MULTILINE)

    assert [re.sub(r"</span> .*|<[^>]+>|\]\([^)]*\)|\[", "", row)[:45] for row in rows] == [
        "Fix: journal/sessions/2026/10/02/notes.md cou",
        "Came back: Use pnpm for every script in store",
        "Decide: 2 memories proposed by agents",
        "Look again: Amounts are whole cents.",
        "Answer: The end-to-end job needs the database",
    ]
    for row in rows:
        assert "](" in row or 'class="calm-command"' in row
    for uri in re.findall(r"\]\(([\w/.-]+)\)", "".join(rows)):
        assert uri in HOME


def test_nothing_waits_when_all_is_done() -> None:
    reviewed = [SessionView(entry=one, reflected_at=START) for one in ENTRIES]
    calm = Library(sessions=tuple(reviewed), memories=(USE_PNPM,), today=TODAY)

    assert "Nothing waits for you." in to_do(calm)
    assert "Nothing waits for you" in stage(calm)["sessions/waiting/index.md"]
    assert "Nothing waits for you" in stage(calm)["memories/review/index.md"]


def test_sessions_that_wait_are_listed_by_day_with_the_command_that_takes_them() -> None:
    page = HOME["sessions/waiting/index.md"]

    assert page.count("\n-   ") == 4
    assert page.index("## 16 Oct 2026") < page.index("## 14 Oct 2026")
    assert '<code class="calm-command">calmkb reflect</code>' in page


def test_a_long_list_of_waiting_sessions_goes_on_on_the_next_page() -> None:
    views = [
        SessionView(entry=replace(ENTRIES[0], id=sample.made_id(f"waits-{n}"))) for n in range(130)
    ]
    pages = stage(Library(sessions=tuple(views)))

    assert " and&nbsp;129&nbsp;more&nbsp;sessions</span>" in pages["index.md"]
    assert [pages[f"sessions/waiting/{n}.md"].count("\n-   ") for n in ("index", 2, 3)] == [
        *(40, 40, 40)
    ]


def test_a_memory_to_look_at_again_says_why_and_what_speaks_against_it() -> None:
    doubt = Doubt(CENTS.id, "a session since says the opposite: use euros", ENTRIES[9].id)
    page = stage(replace(LIBRARY, doubts=(doubt,)))["memories/review/index.md"]

    assert "A session since says the opposite: use euros" in page
    assert "[see it](../../sessions/2026/10/" in page
    assert "calmkb memory report --stale" in page


def test_a_week_is_one_sentence_each_number_a_link_to_its_rows() -> None:
    week = HOME["index.md"].split("## The last seven days")[1].strip().splitlines()[0]

    assert week == (
        "[3 sessions](sessions/index.md), [1 new recurring trouble](friction.md) and "
        "[2 new memories](memories/index.md); 4 sessions the week before."
    )


def test_two_silent_weeks_are_said_and_not_hidden() -> None:
    home = stage(replace(LIBRARY, today=TODAY + timedelta(days=40)))["index.md"]

    assert "Nothing new in two weeks. The last session was on 16 Oct 2026, 5 weeks ago." in home


def test_troubles_to_act_on_come_before_answered_ones() -> None:
    home = HOME["index.md"]
    friction = home[home.index("## Friction to look at") :]

    order = [friction.index(words) for words in ("npm test", "database", "Report totals")]
    assert order == sorted(order)


@pytest.mark.parametrize(
    ("days_ago", "approved", "state"),
    [
        ((60, 10), None, "open"),
        ((60, 20), None, "not hit since"),
        ((9, 3), None, "new"),
        ((60, 50), 30, "answered"),
        ((60, 10), 30, "came back"),
        ((60, 10), 10, "answered"),
        ((90, 50), 60, "answered"),
        ((), None, "open"),
    ],
)
def test_the_state_of_a_trouble(
    days_ago: tuple[int, ...], approved: int | None, state: str
) -> None:
    """Open, new, not hit since, back after its memory, or answered: on its day is no return."""
    days = [TODAY - timedelta(days=n) for n in sorted(days_ago, reverse=True)]
    memory = None if approved is None else TODAY - timedelta(days=approved)
    held = [TODAY - timedelta(days=n) for n in range(87, -1, -3)]

    assert state_of(days, memory, TODAY, held) == state


def test_a_short_history_calls_no_trouble_new_and_a_holiday_none_gone() -> None:
    few = [TODAY - timedelta(days=n) for n in (8, 3, 1)]

    assert state_of(few, None, TODAY, few) == "open"
    assert state_of([TODAY - timedelta(days=30)], None, TODAY, few) == "open"


def test_recent_troubles_weigh_more_than_many_old_ones() -> None:
    old = [TODAY - timedelta(days=200)] * 10
    new = [TODAY - timedelta(days=2)] * 2

    assert recent_weight(new, TODAY) > recent_weight(old, TODAY)
