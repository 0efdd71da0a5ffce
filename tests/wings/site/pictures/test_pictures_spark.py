"""A row of bars in a line of text."""

import markdown

from calmkb.wings.site.pictures.spark import spark
from calmkb.wings.site.text.sanitize import clean_html
from tests.wings.site.drawn import EXTENSIONS, tree


def bars(picture: str) -> int:
    return tree(picture)[0].get("d", "").count("M")


def test_nothing_is_drawn_of_nothing() -> None:
    assert spark([]) == spark([0, 0]) == spark([-3]) == ""


def test_a_bar_for_each_count_that_is_any() -> None:
    assert bars(spark([3, 0, 1])) == 2


def test_rows_can_share_a_scale() -> None:
    assert "V8H" in spark([2], top=4)
    assert "V0H" in spark([2])


def test_thirty_bars_are_the_most_and_none_is_lost() -> None:
    assert bars(spark([1] * 400)) == 29
    assert bars(spark([1] + [0] * 398 + [1])) == 2


def test_it_stands_in_a_list_and_in_a_paragraph_as_it_is() -> None:
    drawn = spark([3, 0, 1])
    page = clean_html(markdown.markdown(f"- 4 {drawn} *it*\n\n{drawn} 4", extensions=EXTENSIONS))

    assert page.count(drawn.replace("/></svg>", "></path></svg>")) == 2
    assert "<em>it</em>" in page


def test_who_listens_is_told_nothing() -> None:
    assert tree(spark([1])).get("aria-hidden") == "true"
