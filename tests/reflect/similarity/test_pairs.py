"""Similar pairs against the product of all with all."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calmkb.reflect.similarity import near as module
from calmkb.reflect.similarity.near import similar_pairs
from tests.reflect.tables import TABLES, sparse, unit


def expected(rows, others, threshold):
    table = rows.toarray() @ others.toarray().T
    return [tuple(pair) for pair in np.argwhere(table >= threshold - 1e-9).tolist()]


@given(TABLES, st.floats(0.05, 1))
def test_every_pair_of_the_dense_product_is_found_and_no_other(table, threshold):
    rows = unit(table)
    found = list(similar_pairs(rows, rows, threshold))
    assert [(row, other) for row, other, _ in found] == expected(rows, rows, threshold)
    dense = rows.toarray() @ rows.toarray().T
    assert np.allclose([level for *_, level in found], [dense[i, j] for i, j, _ in found])


@pytest.mark.parametrize("threshold", [0.15, 0.3, 0.6])
def test_rows_done_in_blocks_lose_no_pair(threshold, monkeypatch):
    monkeypatch.setattr(module, "_MEMORY", 7 * 8 * 70)
    rows, others = sparse(400, seed=5), sparse(70, seed=6)
    found = [(row, other) for row, other, _ in similar_pairs(rows, others, threshold)]
    assert found == expected(rows, others, threshold)
    assert len(found) > 10


def test_nothing_is_similar_to_no_rows():
    rows = sparse(4, seed=7)
    assert list(similar_pairs(rows, rows[:0], 0.3)) == []
    assert list(similar_pairs(rows[:0], rows, 0.3)) == []
