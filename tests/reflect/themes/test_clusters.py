"""Clusters within connected parts, of all rows and of some, against SciPy on all distances."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.cluster.hierarchy import fcluster, linkage

from calmkb.reflect.similarity import clusters
from calmkb.reflect.similarity.clusters import closeness, cluster
from calmkb.reflect.similarity.vectors import vectorise
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


@pytest.mark.parametrize("threshold", [0.2, 0.35, 0.6])
def test_few_rows_cluster_as_scipy_clusters_them(threshold):
    rows = sparse(300, seed=2)
    assert cluster(rows, threshold) == at_once(rows, threshold)


@pytest.mark.parametrize("threshold", [0.2, 0.35, 0.6])
@pytest.mark.parametrize("most", [9, 1_000])
def test_the_groups_that_hold_wanted_rows_are_those_of_the_whole(threshold, most, monkeypatch):
    monkeypatch.setattr(clusters, "MOST", most)
    rows, wanted = sparse(300, seed=5), [7, 100, 101, 299]
    whole = cluster(rows, threshold)
    found = cluster(rows, threshold, wanted=wanted)
    assert found == [group for group in whole if set(group) & set(wanted)]


def test_a_part_that_is_too_large_is_cut_and_loses_no_row(monkeypatch):
    monkeypatch.setattr(clusters, "MOST", 40)
    rows = sparse(300, seed=3)
    found = list(clusters.parts(rows, 0.2, range(300), np.zeros(300), 0))
    assert sorted(row for part in found for row in part) == list(range(300))
    assert max(map(len, found)) <= 40
    groups = cluster(rows, 0.2)
    assert sorted(row for group in groups for row in group) == list(range(300))
    assert any(len(group) > 2 for group in groups)


def test_rows_that_cannot_be_told_apart_do_not_keep_a_part_too_large(monkeypatch):
    monkeypatch.setattr(clusters, "MOST", 40)
    rows = unit([[1.0, 2.0]] * 100)
    assert [len(group) for group in cluster(rows, 0.3)] == [1] * 100
    assert cluster(rows, 0.3, keys=["a text"] * 100) == [list(range(100))]


def test_rows_of_two_kinds_come_together_only_where_they_say_the_same():
    rows = unit([[1, 0.9, 0], [1, 0, 0], [1, 0.1, 0]])
    assert cluster(rows, 0.6) == [[0, 1, 2]]
    assert cluster(rows, 0.6, kinds="abb", across=0.9) == [[0], [1, 2]]
    assert cluster(rows, 0.6, kinds="abc", across=0.9) == [[0], [1, 2]]


@given(TEXTS, st.integers(0, 99), st.sampled_from([0.2, 0.4, 0.7]))
def test_the_order_of_the_texts_does_not_change_the_groups(texts, seed, threshold):
    order = np.random.default_rng(seed).permutation(len(texts))
    shuffled = [texts[row] for row in order]
    one = cluster(vectorise(texts), threshold, keys=texts)
    other = cluster(vectorise(shuffled), threshold, keys=shuffled)

    def texts_of(groups, of):
        return sorted(sorted(of[row] for row in group) for group in groups)

    assert texts_of(one, texts) == texts_of(other, shuffled)


@pytest.mark.parametrize("most", [1, 100])
def test_texts_without_a_word_stay_alone_however_many(most, monkeypatch):
    monkeypatch.setattr(clusters, "MOST", most)
    texts = ["", "The lock file changed.", "", "", "The lock file changed."]
    assert cluster(vectorise(texts), 0.3, keys=texts) == [[0], [1, 4], [2], [3]]


def test_the_closeness_of_a_row_is_its_mean_over_the_group():
    rows = sparse(60, seed=8)
    groups = [list(range(5, 40)), [3, 59, 1], [4]]
    found = closeness(rows, groups)
    for chosen, levels in zip(groups, found, strict=True):
        cosines = (rows[chosen] @ rows[chosen].T).toarray()
        assert levels == pytest.approx(cosines.mean(axis=1))
    assert closeness(rows, []) == []


def test_groups_and_their_rows_come_in_order():
    groups = cluster(sparse(200, seed=9), 0.3)
    assert all(group == sorted(group) for group in groups)
    assert all(one[0] < other[0] for one, other in pairwise(groups))
