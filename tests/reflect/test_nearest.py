"""The nearest rows are those that a sort of all would put first, ties in the order of the rows."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix, vstack

from calmkb.reflect.similarity import nearest as module
from calmkb.reflect.similarity import nearest_candidates
from calmkb.reflect.similarity.nearest import nearest, neighbours
from calmkb.reflect.similarity.tfidf import joined, mixed
from tests.reflect.test_join import TABLES, unit

NUMBERS = st.lists(
    st.lists(st.sampled_from([0.0, 0.3, 0.6, 0.6 + 1e-12]), min_size=3, max_size=3), max_size=9
)


def by_sort(table, number):
    return np.argsort(-table.round(9), axis=1, kind="stable")[:, :number]


def agree_above(floor, found, table):
    """Assert that what reaches `floor` is what a sort of the table puts first."""
    near, levels = found
    first = by_sort(table, near.shape[1])
    cosines = np.take_along_axis(table, first, axis=1)
    above = cosines >= floor
    assert near[above].tolist() == first[above].tolist()
    assert np.allclose(levels[above], cosines[above])
    assert (levels[~above] < floor).all()


@given(NUMBERS, st.integers(1, 5))
def test_what_reaches_the_floor_is_what_a_stable_sort_finds(numbers, number):
    rows = np.array(numbers).reshape(-1, 3)
    found = nearest(csr_matrix(rows), csr_matrix(rows), number, floor=0.3)
    agree_above(0.3, found, rows @ rows.T)


@given(NUMBERS, st.integers(1, 5))
def test_a_row_is_no_neighbour_of_its_own(numbers, number):
    rows = np.array(numbers).reshape(-1, 3)
    table = rows @ rows.T
    np.fill_diagonal(table, -1)
    ((near, _),) = neighbours([mixed((csr_matrix(rows), 1))], number) if len(rows) else [(table, 0)]
    assert near.tolist() == by_sort(table, min(number, max(0, len(rows) - 1))).tolist()
    assert all(row not in found for row, found in enumerate(near.tolist()))


def test_many_rows_are_done_in_blocks_with_the_same_result():
    dice = np.random.default_rng(1)
    rows = dice.random((1_203, 4)).round(1)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    found = nearest(csr_matrix(rows), csr_matrix(rows[:700]), 6, floor=0.99)
    agree_above(0.99, found, rows @ rows[:700].T)


def test_columns_that_every_row_has_are_multiplied_apart_with_the_same_result():
    dice = np.random.default_rng(2)
    rows = np.hstack([dice.random((90, 20)), dice.random((90, 30)) * (dice.random((90, 30)) < 0.1)])
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    found = nearest(csr_matrix(rows), csr_matrix(rows), 7, floor=0.15)
    agree_above(0.15, found, rows @ rows.T)
    assert np.allclose(found[1][:, 0], 1)


def test_the_table_of_many_rows_is_never_held_whole():
    dice = np.random.default_rng(4)
    rows = csr_matrix(dice.random((3_000, 12)) * (dice.random((3_000, 12)) < 0.5))
    tracemalloc.start()
    nearest(rows, rows, 5, floor=0.15)
    small = tracemalloc.get_traced_memory()[1]
    tracemalloc.reset_peak()
    nearest(rows, vstack([rows, rows, rows, rows]), 5, floor=0.15)
    large = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert large < 2 * small


def test_a_view_of_two_matrices_has_the_neighbours_of_both_side_by_side():
    dice = np.random.default_rng(3)
    one, other = (csr_matrix(dice.random((40, 9)) * (dice.random((40, 9)) < 0.4)) for _ in "ab")
    views = [mixed((one, 1)), mixed((one, 2), (other, 1)), mixed((other, 1))]
    for (near, levels), rows in zip(
        neighbours(views, 5), (one, joined((one, 2), (other, 1)), other), strict=True
    ):
        table = (rows @ rows.T).toarray()
        np.fill_diagonal(table, -1)
        assert near.tolist() == by_sort(table, 5).tolist()
        assert np.allclose(levels, np.take_along_axis(table, near, axis=1))


@pytest.mark.parametrize("probes", [5, 200])
def test_rows_are_compared_to_those_alone_that_can_be_nearest_with_the_same_result(
    monkeypatch, probes
):
    monkeypatch.setattr(module, "PRUNED", 1)
    monkeypatch.setattr(nearest_candidates, "_PROBES", probes)
    dice = np.random.default_rng(5)
    plain = dice.random((900, 300)) * (dice.random((900, 300)) < 0.02)
    plain[:, :6] += 0.2 * (dice.random((900, 6)) < 0.3)  # common terms
    plain[::40, 6:] = 0  # and rows that have no others
    rows = unit(plain)
    found = nearest(rows[600:], rows[:600], 5, floor=0.15)
    agree_above(0.15, found, (rows[600:] @ rows[:600].T).toarray())


@given(TABLES, st.integers(1, 5))
def test_whatever_the_terms_what_reaches_the_floor_is_found(table, number):
    rows = unit(table)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "PRUNED", 1)
        patch.setattr(nearest_candidates, "_PROBES", number)
        found = nearest(rows, rows, number, floor=0.2)
    agree_above(0.2, found, (rows @ rows.T).toarray())
