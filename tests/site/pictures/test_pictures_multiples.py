"""Themes by week, a row of bars each."""

from datetime import date, timedelta

from calmkb.site.pictures.multiples import ThemeDays, small_multiples
from tests.site.drawn import of_class, rows, texts, tree

MONDAY = date(2026, 10, 12)
NEXT = MONDAY + timedelta(weeks=1)
OFTEN = ThemeDays("npm test hung.", (MONDAY, MONDAY, NEXT), "../friction/#theme-npm", NEXT)
ONCE = ThemeDays("The port was taken.", (NEXT,))


def heights(path: str) -> list[float]:
    """How high each bar of a path is: from its base to where it turns."""
    bars = [bar.split("V") for bar in path.split("M")[1:]]
    return [float(start.split(" ")[1]) - float(turn.split("H")[0]) for start, turn, _ in bars]


def test_nothing_is_drawn_of_nothing() -> None:
    assert small_multiples([]) == ""
    assert small_multiples([ThemeDays("Never met.", ())]) == ""


def test_rows_keep_their_order_and_one_scale() -> None:
    drawn = tree(small_multiples([OFTEN, ONCE]))

    assert [heights(bars.get("d", "")) for bars in of_class(drawn, "calm-bars")] == [
        [22.0, 11.0],
        [11.0],
    ]
    assert [one.text for one in of_class(drawn, "calm-multiples__total")] == ["3", "1"]


def test_the_statement_leads_to_its_theme() -> None:
    link = tree(small_multiples([OFTEN, ONCE])).find(".//a")

    assert link is not None
    assert (link.get("href"), link.text) == ("../friction/#theme-npm", "npm test hung.")


def test_a_mark_stands_where_the_memory_was_approved() -> None:
    drawn = tree(small_multiples([OFTEN, ONCE]))
    marks = of_class(drawn, "calm-mark")

    assert [mark.get("d", "").rpartition("M")[2] for mark in marks] == ["54 0V30.5"]
    assert [row[2] for row in rows(drawn)[1:]] == ["19 Oct 2026", "not yet"]


def test_the_table_has_every_bar() -> None:
    assert rows(tree(small_multiples([OFTEN])))[1] == [
        *("npm test hung.", "3", "19 Oct 2026", "12 Oct 2026: 2; 19 Oct 2026: 1"),
    ]


def test_a_theme_that_has_gone_quiet_is_seen_to_be() -> None:
    later = MONDAY + timedelta(weeks=9)

    assert texts(tree(small_multiples([OFTEN], days=[later]))) == ["12 Oct 2026", "14 Dec 2026"]


def test_twelve_rows_are_the_most() -> None:
    assert len(rows(tree(small_multiples([ONCE] * 20)))) == 1 + 12


def test_a_long_statement_is_cut_at_a_word() -> None:
    long = ThemeDays("word " * 60, (MONDAY,))
    (told,) = of_class(tree(small_multiples([long])), "calm-multiples__theme")

    assert len(told.text or "") <= 111
    assert (told.text or "").endswith("word…")
