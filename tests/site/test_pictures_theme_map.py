"""The map of themes: places, sizes, names that do not meet."""

from itertools import combinations
from math import hypot, nan

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calmkb.site.pictures.frame import text_width
from calmkb.site.pictures.labels import Circle, Room, broken
from calmkb.site.pictures.theme_map import Spot, theme_map
from tests.site.drawn import of_class, rows, tree

NPM = Spot("npm test hung.", 16, 0.2, 0.5, "../friction/#theme-npm", True)
PORT = Spot("The port was taken.", 4, 0.8, 0.5, "../friction/#theme-port")


def circles(picture: str) -> list[tuple[float, float, float]]:
    found = tree(picture).iter("circle")
    return [tuple(float(one.get(key, "")) for key in ("cx", "cy", "r")) for one in found]


def tight(count: int) -> list[Spot]:
    """Themes at few places, some of them at one."""
    return [
        Spot(f"Theme number {n} of many that are near", 1 + n % 7, n % 5 / 4, n % 3 / 2)
        for n in range(count)
    ]


def test_nothing_is_drawn_of_nothing() -> None:
    assert theme_map([]) == ""
    assert theme_map([Spot("Never met.", 0, 0.5, 0.5)]) == ""


def test_the_area_of_a_circle_goes_with_the_sessions() -> None:
    large, small = circles(theme_map([PORT, NPM]))

    assert large[2] == pytest.approx(2 * small[2])
    assert large[0] < small[0]


def test_an_answered_theme_is_filled_and_an_open_one_hollow() -> None:
    drawn = tree(theme_map([NPM, PORT]))

    assert [len(of_class(drawn, name)) for name in ("calm-spot", "calm-spot--answered")] == [2, 1]
    assert [row[2] for row in rows(drawn)[1:]] == ["yes", "not yet"]


def test_circle_name_and_table_lead_to_the_theme() -> None:
    drawn = tree(theme_map([NPM]))
    in_drawing, in_table = drawn.iter("a")

    assert in_drawing.get("href") == in_table.get("href") == NPM.href
    assert in_drawing.get("aria-label") == "npm test hung.: 16 sessions"
    assert [one.tag for one in in_drawing] == ["circle", "text"]


def test_circles_part_and_stay_inside() -> None:
    found = circles(theme_map(tight(60)))

    assert all(r <= x <= 640 - r and r <= y <= 440 - r for x, y, r in found)
    overlaps = [a[2] + b[2] - hypot(a[0] - b[0], a[1] - b[1]) for a, b in combinations(found, 2)]
    assert max(overlaps) < 1


def test_every_theme_stands_in_the_table_with_or_without_a_name_on_the_map() -> None:
    drawn = tree(theme_map(tight(60)))

    assert len(rows(drawn)) == 61
    assert 0 < len(of_class(drawn, "calm-label")) < 60


def test_names_for_a_phone_are_fewer_than_for_a_desk() -> None:
    drawn = tree(theme_map(tight(40)))
    later = len(of_class(drawn, "calm-label--wide") + of_class(drawn, "calm-label--widest"))

    assert 0 < later < len(of_class(drawn, "calm-label"))


def test_the_order_of_themes_changes_no_byte() -> None:
    assert theme_map(tight(30)) == theme_map(tight(30)[::-1])


def test_sixty_themes_are_the_most() -> None:
    assert len(circles(theme_map(tight(200)))) == 60


def test_a_place_outside_or_no_number_is_brought_inside() -> None:
    found = circles(theme_map([NPM, Spot("Out.", 1, 7, -3), Spot("No number.", 1, nan, nan)]))

    assert all(0 <= x <= 640 and 0 <= y <= 440 for x, y, _ in found)


@given(
    st.lists(
        st.tuples(st.floats(20, 620), st.floats(20, 420), st.floats(3, 30)), min_size=1, max_size=12
    )
)
@settings(max_examples=60)
def test_no_name_meets_another_or_leaves_the_drawing(drawn: list[tuple[float, ...]]) -> None:
    around = [Circle(*one) for one in drawn]
    room = Room(around, height=440)
    placed = [room.place("some words that name it", one, size=16, widest=9) for one in around]
    boxes = [edges(label.lines, label.x, label.anchor) for label in placed if label]

    assert all(left >= 0 and right <= 640 for left, right in boxes)
    assert not any(a.meets(b) for a, b in combinations(room.taken, 2))
    assert len(room.taken) == len(boxes)


def edges(lines: tuple[str, ...], x: float, anchor: str) -> tuple[float, float]:
    width = max(text_width(line, 16) for line in lines)
    left = x - {"start": 0, "middle": width / 2, "end": width}[anchor]
    return left, left + width


@pytest.mark.parametrize("text", ["word " * 40, "W" * 300, "\u4e2d" * 80, "x"])
def test_a_name_has_two_short_lines_at_most(text: str) -> None:
    lines = broken(text, 9)

    assert 1 <= len(lines) <= 2
    assert all(text_width(line, 1) <= 9 + 1 for line in lines)
    assert lines[-1].endswith("…") == (len(text) > 1)
