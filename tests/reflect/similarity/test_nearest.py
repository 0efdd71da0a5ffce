"""The nearest rows are those that a sort of all would put first, ties in the order of the rows."""

import tracemalloc

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix

from calmkb.reflect.similarity.nearest import nearest, neighbours
from calmkb.reflect.similarity.tfidf import joined, mixed

NUMBERS = st.lists(
    st.lists(st.sampled_from([0.0, 0.3, 0.6, 0.6 + 1e-12]), min_size=3, max_size=3), max_size=9
)


def by_sort(table, number):
    return np.argsort(-table.round(9), axis=1, kind="stable")[:, :number]


def assert_nearest(found, table):
    near, levels = found
    first = by_sort(table, near.shape[1])
    assert near.tolist() == first.tolist()
    assert np.allclose(levels, np.take_along_axis(table, first, axis=1))


@given(NUMBERS, st.integers(1, 5))
def test_the_nearest_are_what_a_stable_sort_finds(numbers, number):
    rows = np.array(numbers).reshape(-1, 3)
    found = nearest(csr_matrix(rows), csr_matrix(rows), number)
    assert_nearest(found, rows @ rows.T)


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
    found = nearest(csr_matrix(rows), csr_matrix(rows[:700]), 6)
    assert_nearest(found, rows @ rows[:700].T)


def test_columns_that_every_row_has_are_multiplied_apart_with_the_same_result():
    dice = np.random.default_rng(2)
    rows = np.hstack([dice.random((90, 20)), dice.random((90, 30)) * (dice.random((90, 30)) < 0.1)])
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    found = nearest(csr_matrix(rows), csr_matrix(rows), 7)
    assert_nearest(found, rows @ rows.T)
    assert np.allclose(found[1][:, 0], 1)


def test_the_table_of_many_rows_is_never_held_whole():
    dice = np.random.default_rng(4)
    rows = csr_matrix(dice.random((3_000, 12)) * (dice.random((3_000, 12)) < 0.5))
    tracemalloc.start()
    nearest(rows, rows, 5)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 3_000 * 3_000 * 8 / 1.5


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
