"""The picture of one theme: bars over time, and when a memory was approved."""

from datetime import date, timedelta

from calmkb.site.pictures.history import history
from calmkb.site.staging.drawing import drawing_filters
from tests.site.drawn import HOSTILE, of_class, on_page, rows, seen, shape, texts, tree

MONDAY = date(2026, 10, 12)
DAYS = [MONDAY, MONDAY + timedelta(days=2), MONDAY + timedelta(weeks=2)]


def test_nothing_is_drawn_of_nothing() -> None:
    assert history([]) == ""


def test_the_table_has_every_week_that_counts() -> None:
    drawn = tree(history(DAYS))

    assert rows(drawn) == [["Week from", "Sessions"], ["12 Oct 2026", "2"], ["26 Oct 2026", "1"]]
    assert "most in the week of 12 Oct 2026: 2." in "".join(drawn.itertext())


def test_an_approval_is_marked_and_told() -> None:
    told = history(DAYS, approved=MONDAY + timedelta(weeks=1))

    assert len(of_class(tree(told), "calm-mark")) == 1
    assert "19 Oct 2026: a memory was approved" in "".join(tree(told).itertext())
    assert of_class(tree(history(DAYS)), "calm-mark") == []


def test_time_goes_on_after_the_last_bar() -> None:
    weeks = texts(tree(history(DAYS, until=MONDAY + timedelta(weeks=5))))

    assert weeks[-1] == "9 Nov"


def test_sanitizing_leaves_it_as_it_was_drawn() -> None:
    drawn = history(DAYS, approved=MONDAY, name=HOSTILE)

    assert shape(seen(drawn)) == shape(tree(drawn))
    assert "<script" not in on_page(drawn)


def test_a_clock_gone_wrong_is_drawn_by_its_newest_years() -> None:
    assert len(history([date(1, 1, 1), *DAYS], approved=date(1, 1, 1))) < 4_000


def test_a_week_or_two_are_told_in_words_alone() -> None:
    filters = drawing_filters()

    assert filters["history"](DAYS[:2]) == ""
    assert filters["history"](DAYS) != ""
    assert filters["activity"]([(MONDAY, 3, 1)]) == ""
    assert filters["spark"]([3, 1]) == ""
