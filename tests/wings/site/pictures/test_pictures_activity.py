"""Sessions and friction over time."""

from datetime import date, timedelta

import pytest

from calmkb.wings.site.pictures.activity import Tally, activity
from tests.wings.site.drawn import of_class, rows, texts, tree

MONDAY = date(2026, 10, 12)


def weekly(count: int, *, start: date = MONDAY) -> list[Tally]:
    return [Tally(start + timedelta(weeks=place), 3, 4) for place in range(count)]


def bars(picture: str) -> int:
    return sum(bar.get("d", "").count("M") for bar in of_class(tree(picture), "calm-bars"))


def test_nothing_is_drawn_of_nothing() -> None:
    assert activity([]) == ""
    assert activity([Tally(MONDAY, 0, 3)]) == ""


def test_one_session_is_one_bar_and_one_dot() -> None:
    drawn = tree(activity([Tally(MONDAY, 1, 2)]))

    assert rows(drawn)[1:] == [["12 Oct 2026", "1", "2", "2.0"]]
    assert len(of_class(drawn, "calm-dot")) == 1
    assert of_class(drawn, "calm-line") == []
    assert "12 Oct" in texts(drawn)


def test_the_sessions_of_a_week_are_counted_together_from_monday() -> None:
    days = [Tally(MONDAY + timedelta(days=day), 1, day) for day in range(8)]

    assert rows(tree(activity(days)))[1:] == [
        ["12 Oct 2026", "7", "21", "3.0"],
        ["19 Oct 2026", "1", "7", "7.0"],
    ]


def test_a_week_without_sessions_is_a_gap_not_a_rate_of_zero() -> None:
    first, second, _, fourth, fifth = weekly(5)
    drawn = tree(activity([first, second, fourth, fifth]))

    assert len(of_class(drawn, "calm-line")) == 2
    assert len(rows(drawn)) == 1 + 4


@pytest.mark.parametrize(
    ("weeks", "unit", "steps"), [(60, "week", 60), (61, "month", 15), (900, "year", 19)]
)
def test_a_longer_time_takes_longer_steps(weeks: int, unit: str, steps: int) -> None:
    picture = activity(weekly(weeks))

    assert f"Sessions a {unit}" in texts(tree(picture))
    assert bars(picture) == steps


def test_months_are_counted_by_the_day_not_by_the_week() -> None:
    edge = [Tally(date(2026, 8, 31)), Tally(date(2026, 9, 1)), Tally(date(2024, 1, 1))]

    assert [row[:2] for row in rows(tree(activity(edge)))[2:]] == [
        ["Aug 2026", "1"],
        ["Sep 2026", "1"],
    ]


def test_a_clock_gone_wrong_draws_no_more_than_120_years_and_says_what_is_left_out() -> None:
    picture = activity([*weekly(3), Tally(date(1, 1, 1)), Tally(date(9999, 12, 31), 1, 0)])

    assert "10 earlier ones left out" in "".join(tree(picture).itertext())
    assert len(picture) < 5_000


def test_the_order_of_what_is_told_changes_no_byte() -> None:
    told = [Tally(MONDAY + timedelta(days=day * 3), day % 5, day) for day in range(80)]

    assert activity(told) == activity(told[::-1]) == activity(told[40:] + told[:40])


def test_numbers_beside_the_bars_are_round() -> None:
    assert {"0", "1,000", "2,000"} <= set(texts(tree(activity([Tally(MONDAY, 2_300, 0)]))))
