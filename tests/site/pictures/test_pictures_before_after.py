"""One memory: its theme before it was approved and since."""

import pytest

from calmkb.model import Helping, Rate
from calmkb.reflect.memories.effectiveness import judge
from calmkb.site.pictures.before_after import before_after
from tests.site.drawn import Tree, of_class, rows, texts, tree


def drawn(before: tuple[int, int], since: tuple[int, int]) -> Tree:
    return tree(before_after(judge(Rate(*before), Rate(*since))))


@pytest.mark.parametrize(
    ("before", "since"), [((1, 18), (0, 0)), ((0, 0), (3, 9)), ((0, 18), (0, 9))]
)
def test_nothing_is_drawn_where_there_is_nothing_to_compare(
    before: tuple[int, int], since: tuple[int, int]
) -> None:
    assert before_after(judge(Rate(*before), Rate(*since))) == ""


def test_a_memory_that_helped_says_so_with_its_counts() -> None:
    picture = drawn((9, 40), (2, 160))

    assert picture.findtext("figcaption") == "Did it help? It helped."
    assert rows(picture)[1:] == [["Before", "9", "40", "22 %"], ["Since", "2", "160", "1.2 %"]]
    assert texts(picture)[:4] == [
        *("Before it was approved: 9 of 40 sessions", "22 %"),
        *("Since: 2 of 160 sessions", "1.2 %"),
    ]
    assert of_class(picture, "calm-unsure") == []


def test_what_is_too_early_to_say_looks_uncertain() -> None:
    picture = drawn((5, 40), (4, 50))

    assert picture.findtext("figcaption") == "Did it help? Too early to say."
    assert [one.tag for one in of_class(picture, "calm-unsure")] == "rect rect line circle".split()


def test_an_interval_that_leaves_the_scale_has_an_open_end() -> None:
    assert len(of_class(drawn((1, 18), (0, 2)), "calm-end")) == 2
    assert len(of_class(drawn((9, 20), (0, 30)), "calm-end")) == 1
    assert len(of_class(drawn((5, 40), (4, 50)), "calm-end")) == 0


def test_as_often_as_before_stands_in_the_middle() -> None:
    (span,) = of_class(drawn((20, 40), (20, 40)), "calm-span")

    assert float(span.get("x1", "")) + float(span.get("x2", "")) == pytest.approx(640, abs=30)
    (dot,) = of_class(drawn((20, 40), (20, 40)), "calm-dot")
    assert dot.get("cx") == "320"


def test_without_a_ratio_the_bars_stand_alone() -> None:
    picture = drawn((0, 20), (3, 10))

    assert of_class(picture, "calm-span") == []
    assert rows(picture)[1] == ["Before", "0", "20", "0 %"]


def test_a_great_ratio_is_not_written_as_a_power() -> None:
    picture = before_after(
        Helping("came back more often", "w", Rate(1, 9), Rate(9, 9), 9.0, 2.9, 1_135.4)
    )

    assert "9 times as often (90 %: 2.9 to 1,135)" in texts(tree(picture))
