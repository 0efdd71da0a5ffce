"""Clusters in components, in rounds and around single rows against those of the whole at once."""

import tracemalloc
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.cluster.hierarchy import fcluster, linkage

from calmkb.reflect.similarity import clusters, clusters_rounds
from calmkb.reflect.similarity.clusters import (
    closeness,
    closenesses,
    cluster,
    cluster_around,
    similarities,
)
from calmkb.reflect.similarity.tfidf import vectorise
from tests.reflect.test_join import sparse

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
def all_large(monkeypatch):
    """Let every component pass for one that is too large for a table."""
    monkeypatch.setattr(clusters, "LARGEST", 1)


@pytest.mark.parametrize("threshold", [0.2, 0.35, 0.6])
def test_components_cluster_as_the_whole_does(threshold):
    rows = sparse(300, seed=2)
    assert cluster(rows, threshold) == at_once(rows, threshold)


@pytest.mark.parametrize("threshold", [0.2, 0.35, 0.6])
def test_merging_on_pairs_alone_gives_what_all_distances_give(threshold, all_large):
    rows = sparse(300, seed=3)
    groups = cluster(rows, threshold)
    assert groups == at_once(rows, threshold)
    assert any(len(group) > 1 for group in groups)


@pytest.mark.parametrize("threshold", [0.2, 0.35, 0.6])
def test_too_many_pairs_are_merged_from_the_top_in_steps_with_the_same_result(
    threshold, all_large, monkeypatch
):
    monkeypatch.setattr(clusters_rounds, "PAIRS", 300)
    rows = sparse(200, seed=4)
    assert cluster(rows, threshold) == at_once(rows, threshold)


def test_near_copies_beyond_what_can_be_held_come_together_all_the_same(all_large, monkeypatch):
    monkeypatch.setattr(clusters_rounds, "PAIRS", 5)
    texts = [f"The lock file was rewritten by npm again and nobody saw why {n}." for n in range(40)]
    assert [len(group) for group in cluster(vectorise(texts), 0.3)] == [40]


@pytest.mark.parametrize("threshold", [0.2, 0.35, 0.6])
def test_the_groups_around_some_rows_are_those_of_the_whole(threshold, all_large, monkeypatch):
    monkeypatch.setattr(clusters, "_FEW", 1)
    rows = sparse(300, seed=5)
    wanted = [7, 100, 101, 299]
    whole = cluster(rows, threshold)
    assert cluster_around(rows, threshold, wanted) == [g for g in whole if set(g) & set(wanted)]


def test_small_neighbourhoods_of_a_large_whole_are_clustered_as_ever(monkeypatch):
    monkeypatch.setattr(clusters, "LARGEST", 50)
    rows = sparse(300, seed=6)
    whole = cluster(rows, 0.75)
    found = cluster_around(rows, 0.75, range(15))
    assert found == [group for group in whole if min(group) < 15]


@given(TEXTS, st.integers(0, 99), st.sampled_from([0.2, 0.4, 0.7]))
def test_the_order_of_the_texts_does_not_change_the_groups(texts, seed, threshold):
    order = np.random.default_rng(seed).permutation(len(texts))
    shuffled = [texts[row] for row in order]
    one = cluster(vectorise(texts), threshold, keys=texts)
    other = cluster(vectorise(shuffled), threshold, keys=shuffled)

    def told(groups, of):
        return sorted(sorted(of[row] for row in group) for group in groups)

    assert told(one, texts) == told(other, shuffled)


@settings(max_examples=60)
@given(TEXTS, st.sampled_from([0.2, 0.4, 0.7]))
def test_rounds_and_chains_break_ties_alike(texts, threshold):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clusters, "LARGEST", 1)
        vectors = vectorise(texts)
        whole = cluster(vectors, threshold, keys=texts)
        patch.setattr(clusters, "_FEW", 0)
        found = [
            cluster_around(vectors, threshold, [row], keys=texts)[0] for row in range(len(texts))
        ]
    assert found == [next(g for g in whole if row in g) for row in range(len(texts))]


def test_texts_without_a_word_stay_alone_however_many():
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


def test_many_groups_at_once_are_as_close_as_one_by_one():
    rows = vectorise([f"the {word} test hung {n % 7} times" for n in range(90) for word in "ab"])
    groups = [list(range(start, start + size)) for start, size in ((0, 1), (1, 3), (4, 50))]
    found = closenesses(rows, groups)
    for levels, group in zip(found, groups, strict=True):
        assert levels == pytest.approx(closeness(rows, group))


def test_the_mean_of_a_large_group_is_not_copied_for_each_of_its_rows():
    rows = vectorise([f"word{n} stands in test{n % 3} alone here{n}" for n in range(2_000)])
    tracemalloc.start()
    closenesses(rows, [list(range(2_000))])
    assert tracemalloc.get_traced_memory()[1] < 30 * rows.data.nbytes
    tracemalloc.stop()
