"""Clusters, made in either way and around single rows, against SciPy on all distances."""

import tracemalloc
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.cluster.hierarchy import fcluster, linkage

from calmkb.reflect.similarity import clusters
from calmkb.reflect.similarity.clusters import (
    closeness,
    cluster,
    similarities,
)
from calmkb.reflect.similarity.tfidf import vectorise
from tests.reflect.tables import sparse, unit

WORDS = st.sampled_from("pnpm npm lock file hung test database container slow build ci".split())
TEXTS = st.lists(st.lists(WORDS, max_size=6).map(" ".join), max_size=25)


def at_once(rows, threshold):
    """Average linkage by SciPy on all distances."""
    table = np.maximum(1 - (rows @ rows.T).toarray(), 0)
    tree = linkage(table[np.triu_indices(len(table), 1)], method="average")
    groups = {}
    for row, label in enumerate(fcluster(tree, 1 - threshold + 1e-9, criterion="distance")):
        groups.setdefault(label, []).append(row)
    return sorted(groups.values())


@pytest.fixture
def by_chain(monkeypatch):
    """Let few rows be too many for a table of all distances."""
    monkeypatch.setattr(clusters, "MAX_DENSE", 1)


@pytest.mark.parametrize("threshold", [0.2, 0.35, 0.6])
def test_few_rows_cluster_as_scipy_clusters_them(threshold):
    rows = sparse(300, seed=2)
    assert cluster(rows, threshold) == at_once(rows, threshold)


@pytest.mark.parametrize("threshold", [0.2, 0.35, 0.6])
def test_a_chain_gives_what_all_distances_give(threshold, by_chain):
    rows = sparse(300, seed=3)
    groups = cluster(rows, threshold)
    assert groups == at_once(rows, threshold)
    assert any(len(group) > 1 for group in groups)


@pytest.mark.parametrize("threshold", [0.2, 0.35, 0.6])
@pytest.mark.parametrize("most", [1, 1_000])
def test_the_groups_that_hold_wanted_rows_are_those_of_the_whole(threshold, most, monkeypatch):
    monkeypatch.setattr(clusters, "MAX_DENSE", most)
    rows, wanted, seen = sparse(300, seed=5), [7, 100, 101, 299], []
    whole = cluster(rows, threshold)
    found = cluster(rows, threshold, wanted=wanted, progress=lambda *done: seen.append(done))
    assert found == [group for group in whole if set(group) & set(wanted)]
    assert seen == ([(4, 4)] if most > 1 else [(n, 4) for n in (1, 2, 3, 4)])


def test_many_near_copies_are_one_group_in_little_memory(by_chain):
    own = np.diag(np.random.default_rng(1).random(500) / 2)
    rows = unit(np.hstack([np.ones((500, 10)), own]))
    tracemalloc.start()
    assert [len(group) for group in cluster(rows, 0.3)] == [500]
    assert tracemalloc.get_traced_memory()[1] < 500 * 500 * 8
    tracemalloc.stop()


@given(TEXTS, st.integers(0, 99), st.sampled_from([0.2, 0.4, 0.7]))
def test_the_order_of_the_texts_does_not_change_the_groups(texts, seed, threshold):
    order = np.random.default_rng(seed).permutation(len(texts))
    shuffled = [texts[row] for row in order]
    one = cluster(vectorise(texts), threshold, keys=texts)
    other = cluster(vectorise(shuffled), threshold, keys=shuffled)

    def texts_of(groups, of):
        return sorted(sorted(of[row] for row in group) for group in groups)

    assert texts_of(one, texts) == texts_of(other, shuffled)


@settings(max_examples=60)
@given(TEXTS, st.sampled_from([0.2, 0.4, 0.7]))
def test_a_chain_breaks_ties_alike_from_wherever_it_starts(texts, threshold):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clusters, "MAX_DENSE", 0)
        vectors = vectorise(texts)
        whole = cluster(vectors, threshold, keys=texts)
        found = [
            cluster(vectors, threshold, keys=texts, wanted=[row])[0] for row in range(len(texts))
        ]
    assert found == [next(g for g in whole if row in g) for row in range(len(texts))]


@pytest.mark.parametrize("most", [0, 100])
def test_texts_without_a_word_stay_alone_however_many(most, monkeypatch):
    monkeypatch.setattr(clusters, "MAX_DENSE", most)
    texts = ["", "The lock file changed.", "", "", "The lock file changed."]
    assert cluster(vectorise(texts), 0.3) == [[0], [1, 4], [2], [3]]


def test_the_closeness_of_a_row_is_its_mean_over_the_group():
    rows = sparse(60, seed=8)
    chosen = list(range(5, 40))
    assert closeness(rows, chosen) == pytest.approx(similarities(rows, chosen, chosen).mean(axis=1))


def test_groups_and_their_rows_come_in_order():
    groups = cluster(sparse(200, seed=9), 0.3)
    assert all(group == sorted(group) for group in groups)
    assert all(one[0] < other[0] for one, other in pairwise(groups))
