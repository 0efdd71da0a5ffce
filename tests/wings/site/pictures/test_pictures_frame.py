"""Every picture on a page: left alone by Markdown and the sieve, told in words and in a table."""

from collections import Counter
from datetime import date, timedelta

import pytest

from calmkb.wings.site.pictures.activity import Tally, activity
from calmkb.wings.site.pictures.frame import number
from tests.wings.site.drawn import seen, shape, tree

MONDAY = date(2026, 10, 12)
PICTURES = {
    "activity": activity([Tally(MONDAY + timedelta(weeks=w), w + 1, w) for w in range(30)]),
    "one": activity([Tally(MONDAY)], name="one"),
}
each_picture = pytest.mark.parametrize("picture", PICTURES.values(), ids=PICTURES)


@each_picture
def test_markdown_and_sanitizing_leave_a_picture_as_it_is(picture: str) -> None:
    assert shape(seen(picture)) == shape(tree(picture))


@each_picture
def test_a_picture_is_one_block_of_lines(picture: str) -> None:
    assert picture.startswith("<figure")
    assert all(line and line == line.strip() for line in picture.split("\n"))


@each_picture
def test_a_picture_has_a_name_in_sight_a_description_and_its_numbers(picture: str) -> None:
    drawn = tree(picture)
    by_id = {one.get("id"): one for one in drawn.iter() if one.get("id")}
    for svg in drawn.iter("svg"):
        if svg.get("aria-hidden") != "true":
            assert svg.get("role") in ("img", "group")
            named = [by_id[id_] for id_ in svg.get("aria-labelledby", "").split()]
            assert [one.tag for one in named] == ["figcaption", "desc"]
            assert all("".join(one.itertext()).strip() for one in named)
    assert drawn.find("details/table/tbody/tr/td") is not None


@each_picture
def test_no_id_occurs_twice(picture: str) -> None:
    ids = Counter(one.get("id") for one in tree(picture).iter() if one.get("id"))

    assert max(ids.values()) == 1


@each_picture
def test_colours_are_the_style_sheet_s_alone(picture: str) -> None:
    for one in tree(picture).iter():
        assert not {"fill", "stroke", "style", "color"} & set(one.attrib)


def test_two_pictures_of_a_kind_can_stand_on_one_page() -> None:
    assert 'id="calm-activity-one-name"' in activity([Tally(MONDAY)], name="one")
    assert 'id="calm-activity-x-y-name"' in activity([Tally(MONDAY)], name='x" y')


@pytest.mark.parametrize(
    ("length", "written"), [(0, "0"), (-0.04, "0"), (12, "12"), (12.25, "12.2"), (-3.5, "-3.5")]
)
def test_a_length_has_one_digit_after_the_point_at_most(length: float, written: str) -> None:
    assert number(length) == written
