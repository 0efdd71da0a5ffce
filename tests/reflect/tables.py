"""Tables of numbers as sparse rows of length 1, for the tests of similarity."""

import numpy as np
from hypothesis import strategies as st
from scipy.sparse import csr_matrix, random_array

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
