"""Vectors of texts: the same in any order, and as the search without scikit-learn has them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calmkb.reflect.similarity import methods
from calmkb.reflect.similarity.methods import TFIDF
from calmkb.reflect.similarity.vectors import near, vectorise

TEXTS = st.lists(st.text("ab é-`'(,) \t", max_size=12), max_size=8)
WORDS = st.sampled_from("pnpm npm the not `a/lock.json` hung tests 数据库 container 3.11".split())
SENTENCES = st.lists(st.lists(WORDS, max_size=9).map(" ".join), min_size=1, max_size=8)


@given(SENTENCES)
def test_a_search_without_scikit_learn_has_the_cosines_of_the_vectors(texts):
    rows, levels = vectorise(texts).toarray(), np.zeros(len(texts) - 1)
    for _, row, level in near(texts[:1], texts[1:], 0.0):
        levels[row] = level
    assert np.allclose(levels, rows[1:] @ rows[0])


@given(SENTENCES, st.none() | SENTENCES, st.floats(0.05, 0.95))
def test_few_texts_have_the_near_ones_of_many(texts, others, level):
    few = list(TFIDF.near(texts, others, level))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(methods, "FEW", -1)
        many = list(TFIDF.near(texts, others, level))
    assert [pair[:2] for pair in few] == [pair[:2] for pair in many]
    assert np.allclose([cosine for *_, cosine in few], [cosine for *_, cosine in many])


@given(TEXTS, st.randoms())
def test_the_same_texts_in_another_order_have_the_same_rows(texts, random):
    order = list(range(len(texts)))
    random.shuffle(order)
    one, other = vectorise(texts), vectorise([texts[row] for row in order])
    assert (one[order] != other).nnz == 0


@pytest.mark.parametrize("texts", [[], ["", " "], ["!?", "()"]])
def test_no_text_or_no_word_has_rows_of_zeros(texts):
    rows = vectorise(texts)
    assert (rows.shape[0], rows.nnz) == (len(texts), 0)


def test_a_lone_surrogate_is_a_term_like_any_other():
    rows = vectorise(["caf\udce9 closes", "caf\udce9 opens"])
    assert 0 < (rows @ rows.T).toarray()[0, 1] < 1
