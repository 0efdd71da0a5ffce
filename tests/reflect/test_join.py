"""The join of alike rows against the product of all with all."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix, random_array

from calmkb.reflect.similarity import join as module
from calmkb.reflect.similarity.join import gathered, join

NUMBERS = st.sampled_from([0.0, 0.0, 0.0, 0.5, 1.0, 1.0, 2.0, 3.5])
TABLES = st.integers(1, 9).flatmap(
    lambda width: st.lists(st.lists(NUMBERS, min_size=width, max_size=width), max_size=20)
)


def unit(table):
    dense = np.array(table, dtype=float).reshape(len(table), len(table[0]) if len(table) else 1)
    norms = np.linalg.norm(dense, axis=1, keepdims=True)
    return csr_matrix(np.divide(dense, norms, out=np.zeros_like(dense), where=norms > 0))


def sparse(rows, seed, width=60):
    made = random_array((rows, width), density=0.08, rng=np.random.default_rng(seed))
    return unit(made.toarray())


def found(pairs):
    return list(zip(pairs.first.tolist(), pairs.second.tolist(), strict=True))


def expected(rows, others, threshold):
    table = rows.toarray() @ others.toarray().T
    return [tuple(pair) for pair in np.argwhere(table >= threshold - 1e-9).tolist()]


@given(TABLES, st.floats(0.05, 1))
def test_the_join_finds_every_pair_that_the_dense_product_does_and_no_other(table, threshold):
    rows = unit(table)
    pairs = gathered(join(rows, threshold))
    assert found(pairs) == [(i, j) for i, j in expected(rows, rows, threshold) if i < j]
    dense = rows.toarray() @ rows.toarray().T
    assert np.allclose(pairs.level, [dense[i, j] for i, j in found(pairs)])


@pytest.mark.parametrize("threshold", [0.15, 0.3, 0.6])
def test_rows_that_are_cut_into_blocks_and_tails_lose_no_pair(threshold, monkeypatch):
    monkeypatch.setattr(module, "_TERMS", 500)
    rows = sparse(400, seed=5)
    seen = []
    told = join(rows, threshold, watch=lambda *done: seen.append(done), most=1_500)
    pairs = gathered(told)
    assert found(pairs) == [(i, j) for i, j in expected(rows, rows, threshold) if i < j]
    assert len(found(pairs)) > 10
    assert len(seen) > 16 and seen[-1] == (400, 400)


def test_the_callers_rows_are_left_as_they_were():
    rows = sparse(40, seed=6)
    before = rows.copy()
    gathered(join(rows, 0.3))
    assert (rows.indices == before.indices).all() and (rows.data == before.data).all()
