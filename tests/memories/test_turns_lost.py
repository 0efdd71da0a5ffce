"""Turns that a trouble cost before a memory was approved and since, held against chance."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calmkb.model.memories.backtest import Cost, Occurrence
from calmkb.reflect.memories.turns_lost import chance_of_fewer, turns_lost

LOST = st.lists(st.integers(0, 9), min_size=1, max_size=5)


def met(*turns: int | None) -> tuple[Occurrence, ...]:
    return tuple(
        Occurrence(
            session=str(number), session_id=str(number), date="2026-01-01", quote="It hung.",
            chance=1.0, cost=None if lost is None else Cost(turns=lost),
        )
        for number, lost in enumerate(turns)
    )  # fmt: skip


def test_a_trouble_that_still_comes_but_costs_less_is_seen():
    found = turns_lost(met(12, 9, 15, 11), met(3, 2, 3, 1))
    assert found.chance == pytest.approx(1 / 70)
    assert found.words == (
        "11.8 a session before (known of 4 sessions), 2.25 a session since (known of 4 sessions):"
        " cheaper"
    )


def test_costs_that_nobody_knows_are_left_out_and_one_side_alone_says_nothing():
    found = turns_lost(met(12, None, 15), met(None))
    assert (found.before, found.since, found.chance) == ((12, 15), (), None)
    assert found.words == "13.5 a session before (known of 2 sessions)"
    assert turns_lost((), ()).words == ""


def test_one_session_that_took_for_ever_is_no_proof():
    assert turns_lost(met(900, 3, 4), met(3, 4, 5)).chance > 0.05


@given(LOST, LOST)
def test_the_chance_is_the_share_of_all_draws_that_rank_as_low(before, since):
    both = sorted([*before, *since])
    rank = {value: both.index(value) + (both.count(value) + 1) / 2 for value in both}
    draws = [sum(rank[both[place]] for place in drawn)
             for drawn in combinations(range(len(both)), len(since))]  # fmt: skip
    reached = sum(rank[value] for value in since)
    assert chance_of_fewer(before, since) == pytest.approx(
        sum(total <= reached + 1e-9 for total in draws) / len(draws)
    )
