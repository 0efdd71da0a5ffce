"""The rows near to one row are those that the product with all rows finds."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calmkb.reflect.similarity.chain import Chain
from calmkb.reflect.similarity.near import Near
from tests.reflect.tables import TABLES, sparse, unit


@given(TABLES, st.floats(0.05, 1))
def test_near_rows_are_those_of_the_dense_product(table, threshold):
    rows = unit(table)
    dense = rows.toarray() @ rows.toarray().T
    near = Near(rows, threshold)
    for row in range(rows.shape[0]):
        found, levels = near.of(row)
        assert found.tolist() == np.flatnonzero(dense[row] >= threshold - 1e-9).tolist()
        assert np.allclose(levels, dense[row, found])


@pytest.mark.parametrize("threshold", [0.15, 0.3, 0.6])
def test_rows_that_share_common_terms_alone_are_found_too(threshold):
    plain = sparse(300, seed=8, width=200).toarray()
    plain[::3, :4] += 0.4  # these terms are common, and most of what some rows have
    rows = unit(plain)
    dense = rows.toarray() @ rows.toarray().T
    near = Near(rows, threshold)
    for row in range(300):
        assert near.of(row)[0].tolist() == np.flatnonzero(dense[row] >= threshold).tolist()


def test_a_row_is_held_against_all_others_once_however_large_its_group():
    asked = []

    class Counted(Near):
        def of(self, row):
            asked.append(row)
            return super().of(row)

    rows = unit([[1.0, 0.1 * n, 0.0] for n in range(30)])
    near = Counted(rows, 0.3)
    chain = Chain(near, np.ones(30), 0.3)
    assert chain.group_of(4) == list(range(30))
    assert sorted(asked) == list(range(30))
