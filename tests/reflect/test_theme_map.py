"""A map of themes: in the square, like near like, and the same whoever draws it."""

import itertools
import random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from calmkb.reflect.statements import Statement
from calmkb.reflect.theme_map import MOST, placed, places
from calmkb.reflect.themes import themes
from calmkb.reflect.vectors import PLAIN

KINDS = {
    "deploy": ["the deploy to staging hung", "a deploy to staging failed", "staging deploy broke"],
    "lock": ["the lock file was rewritten", "a stale lock file broke it", "our lock file is gone"],
    "clock": ["the container clock drifts", "a container clock was late", "late container clock"],
}
ROWS = st.lists(st.lists(st.floats(0, 1), min_size=3, max_size=3), max_size=8)


def unit(rows):
    rows = np.array(rows, dtype=float).reshape(-1, 3)
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)


def names(count):
    return [f"theme-{n}" for n in range(count)]


def apart(one, other):
    return ((one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2) ** 0.5


@given(ROWS)
def test_every_theme_stands_in_the_square_and_some_at_its_edge(rows):
    found = places(unit(rows), names(len(rows)))
    assert all(0 <= x <= 1 and 0 <= y <= 1 for x, y in found)
    spread = [max(axis) - min(axis) for axis in zip(*found, strict=True)]
    assert not spread or max(spread) > 0.99 or set(found) == {(0.5, 0.5)}


@given(ROWS, st.randoms(use_true_random=False))
def test_another_order_of_the_themes_moves_none_of_them(rows, dice):
    centres, called = unit(rows), names(len(rows))
    order = list(range(len(called)))
    dice.shuffle(order)
    moved = places(centres[order], [called[row] for row in order])
    assert moved == [places(centres, called)[row] for row in order]


def test_like_themes_stand_nearer_to_each_other_than_to_others():
    called = [f"{kind}-{n}" for kind in KINDS for n in range(3)]
    texts = [[text] for said in KINDS.values() for text in said]
    found = placed(texts, called, PLAIN)
    for one, other in itertools.combinations(called, 2):
        near = apart(found[one], found[other])
        assert near < 0.35 if one.split("-")[0] == other.split("-")[0] else near > 0.35


def test_themes_that_have_nothing_in_common_are_put_up_the_same_every_time():
    centres = np.eye(5)
    found = places(centres, names(5))
    assert found == places(centres, names(5))
    assert len(set(found)) == 5


def test_none_one_and_all_alike_have_a_place_too():
    assert places(np.zeros((0, 3)), []) == []
    assert places(unit([[1, 0, 0]]), ["a"]) == [(0.5, 0.5)]
    assert places(unit([[1, 0, 0]] * 3), ["a", "b", "c"]) == [(0.5, 0.5)] * 3


def test_the_strongest_themes_of_two_sessions_or_more_have_a_place():
    dice = random.Random(1)  # noqa: S311
    words = ["".join(dice.choices("bdfglmnprst", k=6)) for _ in range(3 * (MOST + 6))]
    texts = [" ".join(words[3 * n : 3 * n + 3]) for n in range(MOST + 6)]
    said = [
        Statement(text, f"e{time}-{n}", f"2026-10-{1 + time:02d}", "shop", True, True, "agent")
        for time in range(2)
        for n, text in enumerate(texts)
        if time == 0 or n < MOST + 3
    ]
    found = themes(said, [])
    assert [one.sessions for one in found] == [2] * (MOST + 3) + [1] * 3
    assert [one.place is not None for one in found] == [True] * MOST + [False] * 6
